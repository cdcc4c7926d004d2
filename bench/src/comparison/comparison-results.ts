import { currentCommit, type Machine, type Spread, spreadOf, thisMachine } from '../results.js';
import type { Entrant, Setting } from './entrant.js';
import { FIGURES, type FigureName, type Figures, timesBetter } from './figures.js';
import { nearestTurn, type Turn } from './turns.js';
import type { Workload } from './workload.js';

/** One run that went well. */
export interface RunRecord extends Turn {
  readonly round: number;
  readonly workload: string;
  readonly figures: Figures;
}

export type Spreads = Readonly<Partial<Record<FigureName, Spread>>>;

export interface EntrantResult {
  readonly runs: number;
  readonly figures: Spreads;
  /** How many times better the log store was in the run beside it. */
  readonly timesLog: Spreads;
  /** The same of the PostgreSQL store, for those on PostgreSQL. */
  readonly timesPostgres?: Spreads;
}

export interface WorkloadResult {
  readonly name: string;
  readonly title: string;
  readonly compared: readonly FigureName[];
  readonly entrants: Readonly<Record<string, EntrantResult>>;
}

export interface PresentEntrant {
  readonly name: string;
  readonly title: string;
  /** Absent while none of its runs went well. */
  readonly version?: string;
  readonly afterPowerCut: string;
  readonly settings: readonly Setting[];
}

/** A peer that cannot be had here, and why. */
export interface Missing {
  readonly title: string;
  readonly reason: string;
}

/** A run without figures. */
export interface Problem {
  readonly entrant: string;
  readonly workload: string;
  readonly round: number;
  readonly message: string;
}

export interface ComparisonResults {
  readonly command: string;
  readonly at: string;
  readonly commit: string;
  readonly machine: Machine;
  readonly node: string;
  readonly scale: number;
  /** Those that had ended when this was written. */
  readonly rounds: number;
  readonly roundsWanted: number;
  readonly entrants: readonly PresentEntrant[];
  readonly missing: readonly Missing[];
  readonly problems: readonly Problem[];
  readonly workloads: readonly WorkloadResult[];
}

export interface References {
  readonly log: string;
  readonly postgres: string;
}

/** All runs of one workload, of all rounds. */
export function summariseWorkload(
  { name, title, compared }: Pick<Workload, 'name' | 'title' | 'compared'>,
  entrants: readonly Pick<Entrant, 'name' | 'server'>[],
  records: readonly RunRecord[],
  references: References,
): WorkloadResult {
  const own = records.filter(({ workload }) => workload === name);
  const results = entrants.flatMap((entrant): [string, EntrantResult][] => {
    const runs = own.filter((record) => record.entrant === entrant.name);
    if (runs.length === 0) return [];
    const result = {
      runs: runs.length,
      figures: spreads((figure) => runs.flatMap((run) => run.figures[figure] ?? [])),
      timesLog: timesOf(runs, own, references.log),
    };
    if (entrant.server?.kind !== 'postgres') return [[entrant.name, result]];
    return [[entrant.name, { ...result, timesPostgres: timesOf(runs, own, references.postgres) }]];
  });
  return { name, title, compared, entrants: Object.fromEntries(results) };
}

/** The ratios within pairs, each of two runs of one round that stood beside each other. */
function timesOf(runs: readonly RunRecord[], all: readonly RunRecord[], reference: string): Spreads {
  if (runs[0]?.entrant === reference) return {};
  const ofReference = all.filter(({ entrant }) => entrant === reference);
  return spreads((figure) =>
    runs.flatMap((run) => {
      const sameRound = ofReference.filter(({ round }) => round === run.round);
      const pair = nearestTurn(sameRound, run.turn);
      return pair === undefined ? [] : (timesBetter(figure, pair.figures, run.figures) ?? []);
    }),
  );
}

function spreads(valuesOf: (figure: FigureName) => readonly number[]): Spreads {
  const names = Object.keys(FIGURES) as FigureName[];
  return Object.fromEntries(
    names.flatMap((name) => {
      const values = valuesOf(name);
      return values.length === 0 ? [] : [[name, spreadOf(values)]];
    }),
  );
}

/** What is known of the run as a whole. */
export function describeComparison(): Pick<ComparisonResults, 'at' | 'commit' | 'machine'> {
  return { at: new Date().toISOString(), commit: currentCommit(), machine: thisMachine() };
}

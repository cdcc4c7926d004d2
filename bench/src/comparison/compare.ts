import process from 'node:process';
import {
  type ComparisonResults,
  describeComparison,
  type Missing,
  type Problem,
  type RunRecord,
  summariseWorkload,
} from './comparison-results.js';
import type { Entrant } from './entrant.js';
import { POSTGRES_REFERENCE, REFERENCE } from './entrants.js';
import { type RunPlan, runOnce } from './run-once.js';
import { planTurns } from './turns.js';
import type { Workload } from './workload.js';

export interface Comparison {
  readonly workloads: readonly Workload[];
  readonly entrants: readonly Entrant[];
  readonly missing: readonly Missing[];
  readonly rounds: number;
  /** The same for all runs. */
  readonly shared: Omit<RunPlan, 'entrant' | 'workload'>;
  readonly head: Pick<ComparisonResults, 'command' | 'node' | 'scale' | 'roundsWanted'>;
  /** Called after each round with all that is known so far, so that a run that is ended early keeps what it found. */
  ended(results: ComparisonResults): void;
}

/** Workloads take turns within a round, and peers within a workload. */
export async function compare(comparison: Comparison): Promise<ComparisonResults> {
  const { workloads, entrants, rounds, ended } = comparison;
  const found: Found = { records: [], problems: [], versions: new Map() };
  let results = describe(comparison, found, 0);
  for (let round = 1; round <= rounds; round++) {
    for (const workload of workloads) {
      const names = entrants.map(({ name }) => name);
      const turns = planTurns(names, REFERENCE, round);
      for (const [turn, name] of turns.entries()) {
        process.stderr.write(`round ${round} of ${rounds}: ${workload.title}: ${name}\n`);
        const entrant = entrants.find((candidate) => candidate.name === name)!;
        await measureOne(comparison, found, { entrant, workload: workload.name, round, turn });
      }
    }
    results = describe(comparison, found, round);
    ended(results);
  }
  return results;
}

interface Found {
  readonly records: RunRecord[];
  readonly problems: Problem[];
  readonly versions: Map<string, string>;
}

interface Run {
  readonly entrant: Entrant;
  readonly workload: string;
  readonly round: number;
  readonly turn: number;
}

/** A run that fails leaves no figure, and is told of: it ends no other. */
async function measureOne({ shared }: Comparison, found: Found, { entrant, ...run }: Run): Promise<void> {
  const named = { ...run, entrant: entrant.name };
  try {
    const { version, figures } = await runOnce({ ...shared, entrant, workload: run.workload });
    found.versions.set(entrant.name, version);
    found.records.push({ ...named, figures });
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    process.stderr.write(`  no figure: ${message}\n`);
    found.problems.push({ entrant: entrant.title, workload: run.workload, round: run.round, message });
  }
}

function describe({ workloads, entrants, missing, head }: Comparison, found: Found, rounds: number): ComparisonResults {
  const references = { log: REFERENCE, postgres: POSTGRES_REFERENCE };
  return {
    ...head,
    ...describeComparison(),
    rounds,
    entrants: entrants.map(({ name, title, afterPowerCut, settings }) => {
      const version = found.versions.get(name);
      return { name, title, afterPowerCut, settings, ...(version === undefined ? {} : { version }) };
    }),
    missing,
    problems: found.problems,
    workloads: workloads.map((workload) => summariseWorkload(workload, entrants, found.records, references)),
  };
}

import { execFileSync } from 'node:child_process';
import { cpus, release, totalmem } from 'node:os';
import type { BenchCase, Goal, Round } from './bench-case.js';
import { METRICS, type MetricName } from './metrics.js';
import { PEERS, type PeerName } from './peer.js';
import { median } from './statistics.js';

/** Over the rounds of one case. */
export interface Spread {
  readonly median: number;
  readonly least: number;
  readonly most: number;
}

export type PeerResult = Readonly<Partial<Record<MetricName, Spread>>>;

export interface GoalResult {
  readonly title: string;
  readonly atLeast?: number;
  readonly atMost?: number;
  /** Of the rounds' own figures; absent where a peer was missing. */
  readonly figure?: Spread;
  readonly reached?: boolean;
}

export interface CaseResult {
  readonly name: string;
  readonly title: string;
  readonly jobs: number;
  readonly peers: Readonly<Partial<Record<PeerName, PeerResult>>>;
  readonly goals: readonly GoalResult[];
}

export interface Machine {
  readonly cpu: string;
  readonly cores: number;
  readonly memoryGiB: number;
  readonly kernel: string;
}

/** What was run, when, of which commit and on what. */
export interface RunFacts {
  readonly command: string;
  readonly at: string;
  readonly commit: string;
  readonly machine: Machine;
  readonly node: string;
}

export interface BenchResults extends RunFacts {
  /** What stands behind the peer `sqlite`; absent where there is none. */
  readonly sqlite?: string;
  /** Those that had ended when this was written. */
  readonly rounds: number;
  readonly roundsWanted: number;
  readonly cases: readonly CaseResult[];
}

export function summarise(benchCase: BenchCase, jobs: number, rounds: readonly Round[]): CaseResult {
  const peers: Partial<Record<PeerName, PeerResult>> = {};
  for (const peer of PEERS) {
    const runs = rounds.flatMap((round) => round[peer] ?? []);
    if (runs.length > 0) peers[peer] = summarisePeer(runs);
  }
  const goals = benchCase.goals.map((goal) => judge(goal, rounds));
  return { name: benchCase.name, title: benchCase.title, jobs, peers, goals };
}

function summarisePeer(runs: readonly Partial<Record<MetricName, number>>[]): PeerResult {
  const result: Partial<Record<MetricName, Spread>> = {};
  for (const metric of Object.keys(METRICS) as MetricName[]) {
    const values = runs.flatMap((run) => run[metric] ?? []);
    if (values.length > 0) result[metric] = spreadOf(values);
  }
  return result;
}

/** The median of the rounds' own ratios: what slows a whole round down falls out of it. */
function judge({ figure: figureOf, ...goal }: Goal, rounds: readonly Round[]): GoalResult {
  const figures = rounds.flatMap((round) => figureOf(round) ?? []);
  if (figures.length === 0) return goal;
  const figure = spreadOf(figures);
  const { atLeast = Number.NEGATIVE_INFINITY, atMost = Number.POSITIVE_INFINITY } = goal;
  return { ...goal, figure, reached: figure.median >= atLeast && figure.median <= atMost };
}

export function spreadOf(values: readonly number[]): Spread {
  return { median: median(values), least: Math.min(...values), most: Math.max(...values) };
}

export function describeRun(
  command: string,
  rounds: number,
  roundsWanted: number,
  sqlite: string | undefined,
  cases: readonly CaseResult[],
): BenchResults {
  return {
    ...runFacts(command),
    ...(sqlite === undefined ? {} : { sqlite }),
    rounds,
    roundsWanted,
    cases,
  };
}

export function runFacts(command: string): RunFacts {
  return {
    command,
    at: new Date().toISOString(),
    commit: currentCommit(),
    machine: thisMachine(),
    node: process.version,
  };
}

export function thisMachine(): Machine {
  return {
    cpu: cpus()[0]?.model ?? 'unknown',
    cores: cpus().length,
    memoryGiB: Math.round(totalmem() / 2 ** 30),
    kernel: release(),
  };
}

export function currentCommit(): string {
  try {
    return execFileSync('git', ['rev-parse', '--short', 'HEAD'], { encoding: 'utf8' }).trim();
  } catch {
    return 'unknown';
  }
}

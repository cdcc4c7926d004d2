import { execFileSync } from 'node:child_process';
import { cpus, release, totalmem } from 'node:os';
import type { BenchCase } from './bench-case.js';
import type { ComparedMeasurement } from './measurement.js';
import { median } from './statistics.js';

export interface CaseResult {
  readonly name: string;
  readonly title: string;
  readonly jobs: number;
  readonly jobsPerSecond: number;
  /** Slowest and fastest run. */
  readonly jobsPerSecondRange: readonly [number, number];
  /** What the disk alone would allow: the same bytes in as many writes and syncs. */
  readonly barePerSecond: number;
  /** Median of the runs' own ratios: 1 would be a store that costs nothing. */
  readonly ratio: number;
  readonly jobsPerSync: number;
  readonly bytesPerJob: number;
  readonly p50Ms?: number;
  readonly p99Ms?: number;
}

export interface BenchResults {
  readonly command: string;
  readonly at: string;
  readonly commit: string;
  readonly machine: {
    readonly cpu: string;
    readonly cores: number;
    readonly memoryGiB: number;
    readonly kernel: string;
  };
  readonly node: string;
  readonly rounds: number;
  readonly cases: readonly CaseResult[];
}

/** Medians over the rounds of one case. */
export function summarise(benchCase: BenchCase, runs: readonly ComparedMeasurement[]): CaseResult {
  const speeds = runs.map((run) => run.jobs / run.seconds);
  const waits = (pick: 'p50Ms' | 'p99Ms') => runs.flatMap((run) => run[pick] ?? []);
  const [p50Ms, p99Ms] = [waits('p50Ms'), waits('p99Ms')];
  return {
    name: benchCase.name,
    title: benchCase.title,
    jobs: runs[0]?.jobs ?? 0,
    jobsPerSecond: median(speeds),
    jobsPerSecondRange: [Math.min(...speeds), Math.max(...speeds)],
    barePerSecond: median(runs.map((run) => run.jobs / run.bareSeconds)),
    ratio: median(runs.map((run) => run.bareSeconds / run.seconds)),
    jobsPerSync: median(runs.map((run) => run.jobs / Math.max(1, run.syncs))),
    bytesPerJob: median(runs.map((run) => run.bytes / run.jobs)),
    ...(p50Ms.length > 0 ? { p50Ms: median(p50Ms) } : {}),
    ...(p99Ms.length > 0 ? { p99Ms: median(p99Ms) } : {}),
  };
}

export function describeRun(command: string, rounds: number, cases: readonly CaseResult[]): BenchResults {
  return {
    command,
    at: new Date().toISOString(),
    commit: currentCommit(),
    machine: {
      cpu: cpus()[0]?.model ?? 'unknown',
      cores: cpus().length,
      memoryGiB: Math.round(totalmem() / 2 ** 30),
      kernel: release(),
    },
    node: process.version,
    rounds,
    cases,
  };
}

function currentCommit(): string {
  try {
    return execFileSync('git', ['rev-parse', '--short', 'HEAD'], { encoding: 'utf8' }).trim();
  } catch {
    return 'unknown';
  }
}

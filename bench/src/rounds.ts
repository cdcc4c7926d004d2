import { mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import type { BenchCase, Round } from './bench-case.js';
import { type CaseResult, summarise } from './results.js';

export interface RoundsPlan {
  readonly cases: readonly BenchCase[];
  readonly rounds: number;
  jobsOf(benchCase: BenchCase): number;
  run(benchCase: BenchCase, jobs: number, round: number): Round;
  /** Called after each round with all that is known so far, so that a run that is ended early keeps what it found. */
  ended(round: number, cases: readonly CaseResult[]): void;
}

/** Cases take turns within a round, so that a slow minute of the machine does not hit one of them alone. */
export function runRounds({ cases, rounds, jobsOf, run, ended }: RoundsPlan): void {
  const runs = new Map<BenchCase, Round[]>(cases.map((benchCase) => [benchCase, []]));
  for (let round = 1; round <= rounds; round++) {
    for (const benchCase of cases) runs.get(benchCase)!.push(run(benchCase, jobsOf(benchCase), round));
    ended(
      round,
      cases.map((benchCase) => summarise(benchCase, jobsOf(benchCase), runs.get(benchCase)!)),
    );
  }
}

/** Under its name the file is never there in part. */
export function writeResults(file: string, results: object): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(`${file}.tmp`, `${JSON.stringify(results, null, 2)}\n`);
  renameSync(`${file}.tmp`, file);
}

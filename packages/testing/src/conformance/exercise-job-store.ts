import type { RetentionOptions } from '@holdfast/contract';
import { describe, it } from 'vitest';
import { BENCH_RETENTION, Bench } from './bench.js';
import { groups } from './groups/index.js';
import type { OpenedStore } from './opened-store.js';
import { type Skip, skippedTests } from './skips.js';

export interface JobStoreExercise {
  /** Of the store, as it stands in the report. */
  readonly name: string;
  /** Makes an empty store of its own for each test, which keeps jobs that came to an end as `options.retention` says. */
  open(options: { readonly retention: RetentionOptions }): Promise<OpenedStore>;
  readonly skip?: readonly Skip[];
  /** Of one test. Default: a second more than what the longest test waits in real time. */
  readonly timeoutMs?: number;
}

const TIMEOUT_MS_DEFAULT = 20_000;

/**
 * Registers every rule of the JobStore contract as a vitest test over this store.
 * @throws Error if a skip has no reason or names no test
 */
export function exerciseJobStore(exercise: JobStoreExercise): void {
  const names = Object.entries(groups).flatMap(([group, rules]) =>
    Object.keys(rules).map((test) => `${group}: ${test}`),
  );
  const skipped = skippedTests(exercise.skip ?? [], names);
  describe(exercise.name, () => {
    for (const [group, rules] of Object.entries(groups)) {
      describe(group, () => {
        for (const [test, run] of Object.entries(rules)) {
          it(test, { timeout: exercise.timeoutMs ?? TIMEOUT_MS_DEFAULT }, async (context) => {
            const skip = (reason: string): never => context.skip(reason);
            const reason = skipped.get(`${group}: ${test}`);
            if (reason !== undefined) skip(reason);
            await onStore(exercise, skip, run);
          });
        }
      });
    }
  });
}

async function onStore(
  exercise: JobStoreExercise,
  skip: (reason: string) => never,
  run: (bench: Bench) => Promise<void>,
): Promise<void> {
  const opened = await exercise.open({ retention: BENCH_RETENTION });
  try {
    await run(new Bench(opened, skip));
  } finally {
    await opened.close();
  }
}

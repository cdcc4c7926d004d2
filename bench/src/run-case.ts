import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { openLogStore } from '@holdfast/core';
import { bareLimitSeconds } from './bare-limit.js';
import { CASES } from './cases.js';
import type { ComparedMeasurement } from './measurement.js';
import { percentile } from './statistics.js';

/**
 * Runs one case once, in a process of its own with an empty store, then the bare limit in the same directory, and prints one
 * line of JSON. Arguments: case, jobs, directory to make the store's directory in.
 */
const [, , name, jobs, parent] = process.argv;
const benchCase = CASES.find((candidate) => candidate.name === name);
if (benchCase === undefined || jobs === undefined || parent === undefined) {
  throw new Error('Usage: run-case <case> <jobs> <directory>');
}
const directory = mkdtempSync(join(parent, 'holdfast-bench-'));
try {
  const store = await openLogStore({ directory: join(directory, 'log') });
  await benchCase.run(store, Math.min(5_000, Number(jobs)));
  const { latenciesMs, ...measured } = await benchCase.run(store, Number(jobs));
  await store.close();
  const result: ComparedMeasurement = {
    ...measured,
    bareSeconds: bareLimitSeconds(directory, measured),
    ...(latenciesMs === undefined ? {} : { p50Ms: percentile(latenciesMs, 0.5), p99Ms: percentile(latenciesMs, 0.99) }),
  };
  process.stdout.write(`${JSON.stringify(result)}\n`);
} finally {
  rmSync(directory, { recursive: true, force: true });
}

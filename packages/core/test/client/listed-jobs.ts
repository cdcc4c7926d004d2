import type { EngineJob, EngineJobs } from '../../src/engine/engine-calls.js';
import { countOf, shapeOf } from '../../src/engine/engine-jobs.js';
import { PayloadColumnReader } from '../../src/protocol/payload-column.js';

/** Jobs that crossed in columns, one by one. */
export function listedJobs(jobs: EngineJobs): EngineJob[] {
  const payloads = new PayloadColumnReader(jobs.payloads);
  return Array.from({ length: countOf(jobs) }, (_, index) => ({
    shape: shapeOf(jobs, index),
    payload: payloads.nextOwned(),
    delayMs: given(jobs.delaysMs?.[index]),
    runAtMs: given(jobs.runAtsMs?.[index]),
    expiresInMs: given(jobs.expiresInMs?.[index]),
    extras: jobs.extras?.[index],
    dedupe: jobs.dedupes?.[index],
  }));
}

function given(value: number | undefined): number | undefined {
  return value === undefined || Number.isNaN(value) ? undefined : value;
}

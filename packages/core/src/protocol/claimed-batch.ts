import type { LeasedJob } from '@holdfast/contract';
import type { ClaimedJob, JobExtras } from '../engine/engine-calls.js';
import { formatId, formatToken } from '../identity.js';
import type { Writable } from '../writable.js';
import type { ClaimedBatch } from './job-calls.js';
import { PayloadColumnReader, PayloadColumnWriter } from './payload-column.js';
import { ShapeColumnWriter, shapeAt } from './shape-column.js';

export function writeClaimed(jobs: readonly ClaimedJob[], answeredAtMs: number): ClaimedBatch | undefined {
  if (jobs.length === 0) return undefined;
  const ids = new Float64Array(jobs.length);
  const tokens = new Float64Array(jobs.length);
  const enqueuedAtsMs = new Float64Array(jobs.length);
  const attempts = new Uint32Array(jobs.length);
  const shapes = new ShapeColumnWriter();
  const payloads = new PayloadColumnWriter();
  const extras: (JobExtras | undefined)[] = [];
  let index = 0;
  for (const job of jobs) {
    ids[index] = job.id;
    tokens[index] = job.token;
    enqueuedAtsMs[index] = job.enqueuedAtMs;
    attempts[index] = job.attempt;
    shapes.add(job.shape);
    payloads.add(job.payload);
    if (job.extras !== undefined) extras[index] = job.extras;
    index++;
  }
  return {
    ...{ answeredAtMs, ids, tokens, enqueuedAtsMs, attempts, shapes: shapes.take(), payloads: payloads.take() },
    ...(extras.length === 0 ? {} : { extras: Array.from(extras) }),
  };
}

export function readClaimed(batch: ClaimedBatch | undefined, storeTag: string, leaseMs: number): LeasedJob[] {
  if (batch === undefined) return [];
  const payloads = new PayloadColumnReader(batch.payloads);
  const jobs: LeasedJob[] = [];
  for (let index = 0; index < batch.ids.length; index++) {
    const shape = shapeAt(batch.shapes, index);
    const job: Writable<LeasedJob> = {
      id: formatId(storeTag, batch.ids[index]!),
      token: formatToken(batch.tokens[index]!),
      queue: shape.queue,
      name: shape.name,
      payload: payloads.nextOwned(),
      priority: shape.priority,
      attempt: batch.attempts[index]!,
      maxAttempts: shape.maxAttempts,
      enqueuedAtMs: batch.enqueuedAtsMs[index]!,
      leaseMs,
    };
    const extras = batch.extras?.[index];
    const { name: backoffName } = shape.backoff;
    // No spread: on Node 20 it would cost more than all else here.
    if (backoffName !== undefined) job.backoffName = backoffName;
    if (extras?.timeoutMs !== undefined) job.timeoutMs = extras.timeoutMs;
    if (extras?.headers !== undefined) job.headers = extras.headers;
    jobs.push(job);
  }
  return jobs;
}

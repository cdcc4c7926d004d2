import type { Enqueued, NewJob } from '@holdfast/contract';
import { requestFingerprint } from '@holdfast/contract/rules';
import type { EnqueuedBatch, JobCalls } from '../protocol/job-calls.js';
import { EnqueueBatching } from './enqueue-batching.js';
import type { CallSource, PortClient } from './port-client.js';

/**
 * An enqueue that may be repeated: a call of its own, because its answer is remembered as a whole. It crosses behind what was enqueued
 * before it in the same turn.
 * @throws InvalidArgumentError, InvalidJobError
 */
export function enqueueOnce(
  calls: PortClient<JobCalls>,
  before: CallSource,
  storeTag: () => string,
  jobs: readonly NewJob[],
  requestId: string,
): Promise<Enqueued[]> | Enqueued[] {
  const batching = new EnqueueBatching(storeTag);
  batching.begin(jobs);
  for (const [index, job] of jobs.entries()) batching.append(job, index);
  if (jobs.length === 0) return [];
  // The caller may change its list before the answer comes.
  const { count, weight } = batching;
  const { args, transfer } = batching.take();
  const request = { id: requestId, fingerprint: requestFingerprint(jobs) };
  before.handOver();
  return new Promise((resolve, reject) => {
    const settled = (error: Error | undefined, answer: unknown) => {
      if (error !== undefined) reject(error);
      else resolve(Array.from({ length: count }, (_, index) => batching.result(answer as EnqueuedBatch, index)));
    };
    calls.addMerged('enqueue', { ...args, request }, weight, { outcomeWhenLost: 'unknown', settled }, transfer);
    calls.flushSoon();
  });
}

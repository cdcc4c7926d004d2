import type { WholeJob } from '@holdfast/contract/moving';
import {
  actBytes,
  type EnqueueFields,
  encodeCloneOrigin,
  encodeDedupe,
  encodeEnqueue,
  encodeExpiry,
  encodeExtras,
  enqueueBodyBytes,
  type JobTable,
  joined,
  type MoveContents,
  type MoveFields,
  payloadLength,
  stateNumber,
} from '@holdfast/core/records';
import { jobHistory } from './job-history.js';
import { bodyOf } from './whole-job.js';

const NO_LEASE = { token: 0, leasedAtMs: 0, leaseMs: 0, worker: '' };

/** What a MOVE of the job holds. @param shapes keeps the beginnings that jobs of one kind share */
export function jobMove(job: WholeJob, shapes: JobTable['shapes']): MoveContents {
  const { entries, cut } = jobHistory(job);
  const lease = job.lease ?? NO_LEASE;
  const fields: MoveFields = {
    state: stateNumber(job.state),
    attempts: job.attempts,
    runAtMs: job.runAtMs,
    rankAtMs: job.rankAtMs ?? job.runAtMs,
    updatedAtMs: job.updatedAtMs,
    priority: job.priority,
    ...lease,
    token: job.end?.token ?? lease.token,
    endedOrder: job.end?.order ?? 0,
    historyCut: cut,
    mayExpire: job.expiresAtMs !== undefined,
    takesKey: job.dedupe?.takenUntilMs !== undefined,
  };
  return { fields, worker: Buffer.from(lease.worker, 'utf8'), enqueue: enqueueBody(job, shapes), history: entries };
}

function enqueueBody(job: WholeJob, shapes: JobTable['shapes']): Uint8Array {
  const { queue, name, maxAttempts, backoff, payload } = job;
  const { template } = shapes.intern({ queue, name, maxAttempts, backoff });
  const fields: EnqueueFields = {
    id: job.number,
    enqueuedAtMs: job.enqueuedAtMs,
    runAtMs: Math.max(job.enqueuedAtMs, job.runAtMs),
    priority: job.priority,
    payloadBytes: payloadLength(payload),
    expiresAtMs: job.expiresAtMs ?? 0,
  };
  const options = joined(optionsOf(job));
  const body = new Uint8Array(enqueueBodyBytes(template, fields.payloadBytes, options));
  encodeEnqueue(bodyOf(body), fields, template, payload, options);
  return body;
}

function optionsOf({
  timeoutMs,
  headers,
  dedupe,
  enqueuedAtMs,
  expiresAtMs,
  clonedFrom,
  acts,
}: WholeJob): Uint8Array[] {
  const extras = { ...(timeoutMs === undefined ? {} : { timeoutMs }), ...(headers === undefined ? {} : { headers }) };
  const options = [encodeExtras(extras)];
  if (dedupe !== undefined) {
    const { key, takenUntilMs = 0 } = dedupe;
    options.push(encodeDedupe({ key, forMs: Math.max(0, takenUntilMs - enqueuedAtMs) }));
  }
  if (expiresAtMs !== undefined) options.push(encodeExpiry(expiresAtMs));
  if (clonedFrom !== undefined) {
    const clone = acts.find(({ act }) => act === 'clone');
    options.push(encodeCloneOrigin(clonedFrom, actBytes(clone?.actor ?? '', clone?.reason)));
  }
  return options;
}

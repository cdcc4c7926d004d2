import {
  type Clock,
  InvalidArgumentError,
  InvalidPayloadError,
  type LeasedJob,
  type Payload,
  PayloadUnsupportedError,
  type SettleAnswer,
} from '@holdfast/contract';
import { LIMITS } from '../limits.js';
import type { Writable } from '../writable.js';
import type { CancelledRuns } from './cancelled-runs.js';
import type { Emitter } from './emitter.js';
import type { Handler, Job } from './handler.js';
import type { JobNotes } from './job-notes.js';
import type { LeaseKeeper } from './lease-keeper.js';
import { LostResult } from './lost-result.js';
import { type Backoffs, namedWait } from './named-backoff.js';
import { type Outcome, outcomeOfThrow, type Timeout } from './outcome.js';
import type { PayloadCodec } from './payload-codec.js';
import type { Runaways } from './runaways.js';
import type { RunningJob } from './running-job.js';
import { type AnySchemas, checkPayload, schemaOf } from './schemas.js';
import type { Settlement } from './settlement.js';
import type { WorkerEvents, WorkerStep } from './worker-events.js';

/** What a run needs of its worker. */
export interface RunParts {
  readonly codec: PayloadCodec;
  readonly schemas: AnySchemas | undefined;
  readonly clock: Clock;
  readonly leases: LeaseKeeper;
  readonly notes: JobNotes;
  readonly settlement: Settlement;
  readonly cancelledRuns: CancelledRuns;
  readonly events: Emitter<WorkerEvents>;
  readonly handlerOf: (name: string) => Handler;
  /** Of jobs that have none of their own; Infinity: none. */
  readonly timeoutMs: number;
  readonly runaways: Runaways;
  readonly backoffs: Backoffs;
  readonly tellError: (error: unknown, during: WorkerStep, job: LeasedJob) => void;
  /** The handler is done: its slot is free, though the store may not know yet. */
  readonly onHandled: () => void;
  /** The store knows how it ended, or will not be told by us. */
  readonly onEnded: (run: RunningJob) => void;
}

/**
 * The whole life of one attempt: keep the lease while the handler works, tell the store how it ended, tell everybody.
 * Never throws.
 */
export async function runJob(run: RunningJob, parts: RunParts): Promise<void> {
  try {
    parts.leases.watch();
    const timeout = { job: run.leased, timeoutMs: run.leased.timeoutMs ?? parts.timeoutMs };
    const working = work(run, timeout, parts);
    run.work = working;
    const isBounded = Number.isFinite(timeout.timeoutMs);
    const ending = await (isBounded ? parts.runaways.endInTime(run, timeout, working) : working);
    const outcome = run.leased.backoffName === undefined ? ending : withNamedWait(run.leased, ending, parts);
    const ours = run.beginEnding();
    parts.onHandled();
    if (!ours) return;
    // What comes after the end of the lease is not kept.
    if (run.hasNotes) await parts.notes.flush([run]);
    const answer = await parts.settlement.settle(run.leased, outcome);
    if (answer === 'cancelled' && outcome.kind !== 'cancelled')
      parts.cancelledRuns.endedUnheard(run, outcome, parts.clock);
    report(run.leased, outcome, answer, parts.clock.monotonicMs() - run.startedAtMs, parts.events);
  } catch (error) {
    parts.tellError(error, 'settle', run.leased);
  } finally {
    parts.onEnded(run);
  }
}

/** A function that fails is told; then the store says how long to wait. */
function withNamedWait(job: LeasedJob, outcome: Outcome, parts: RunParts): Outcome {
  if (outcome.kind !== 'failed' || outcome.next !== 'backoff') return outcome;
  try {
    return { ...outcome, next: namedWait(job, outcome.thrown, parts.backoffs) };
  } catch (error) {
    parts.tellError(error, 'backoff', job);
    return outcome;
  }
}

async function work(run: RunningJob, timeout: Timeout, parts: RunParts): Promise<Outcome> {
  const { leased } = run;
  let job: Job;
  try {
    job = toJob(leased, parts.codec.decode(leased.payload));
  } catch (thrown) {
    // The same bytes will not decode next time either.
    return { kind: 'failed', thrown, next: 'dead' };
  }
  try {
    const schema = schemaOf(parts.schemas, leased.name);
    if (schema !== undefined)
      job = { ...job, payload: await checkPayload(schema, leased.name, job.payload, 'payload') };
  } catch (thrown) {
    // Nor will it fit next time, unless it was the schema that failed.
    return { kind: 'failed', thrown, next: thrown instanceof InvalidPayloadError ? 'dead' : 'backoff' };
  }
  try {
    // While the payload was checked: another attempt may have begun elsewhere.
    if (run.aborted !== undefined) throw run.aborted;
    const returned = await parts.handlerOf(leased.name)(job, run);
    return returned === undefined ? { kind: 'completed' } : complete(leased, returned, parts);
  } catch (thrown) {
    return outcomeOfThrow(thrown, run.aborted, timeout);
  }
}

/** The work is done, so a result that cannot be kept is reported, not punished with another attempt. */
function complete(leased: LeasedJob, returned: unknown, parts: RunParts): Outcome {
  try {
    if (returned instanceof LostResult) throw new PayloadUnsupportedError('result', returned.why.replace(/\.$/, ''));
    const result = parts.codec.encode(returned, 'result');
    checkResult(result);
    return { kind: 'completed', result };
  } catch (error) {
    parts.tellError(error, 'result', leased);
    return { kind: 'completed' };
  }
}

/** Here, because a store refuses a whole call for one result, and with it the ends of other jobs. */
function checkResult(result: Payload): void {
  if (typeof result !== 'string' && !(result instanceof Uint8Array)) {
    throw new InvalidArgumentError('result', result, 'a string or a Uint8Array, as the codec makes it');
  }
  if (result.length * 3 > LIMITS.resultBytesMax) checkSize(Buffer.byteLength(result));
  if (typeof result === 'string' && !result.isWellFormed()) {
    throw new InvalidArgumentError('result', result, 'without lone surrogates, which UTF-8 cannot hold');
  }
}

function checkSize(bytes: number): void {
  if (bytes <= LIMITS.resultBytesMax) return;
  throw new InvalidArgumentError(
    'result',
    `${bytes} bytes`,
    `at most ${LIMITS.resultBytesMax} bytes; keep it elsewhere and return where`,
  );
}

function report(
  job: LeasedJob,
  outcome: Outcome,
  answer: SettleAnswer,
  durationMs: number,
  events: Emitter<WorkerEvents>,
): void {
  if (answer !== 'ok') {
    // A cancel that is repeated after a lost answer finds the job as it wants it.
    if (answer === 'cancelled')
      events.emit('cancelled', { job, by: outcome.kind === 'cancelled' ? 'handler' : 'operator' });
    else events.emit('stale', { job, outcome: outcome.kind, answer });
    return;
  }
  switch (outcome.kind) {
    case 'completed':
      events.emit('completed', { job, durationMs });
      break;
    case 'cancelled':
      events.emit('cancelled', { job, by: 'handler' });
      break;
    case 'released':
      events.emit('released', outcome.delayMs === undefined ? { job } : { job, delayMs: outcome.delayMs });
      break;
    case 'failed': {
      const last = outcome.next === 'dead' || (job.maxAttempts !== null && job.attempt >= job.maxAttempts);
      events.emit(last ? 'dead' : 'failed', { job, durationMs, error: outcome.thrown });
    }
  }
}

function toJob(leased: LeasedJob, payload: unknown): Job {
  const { id, queue, name, priority, attempt, maxAttempts, enqueuedAtMs, timeoutMs, headers } = leased;
  const job: Writable<Job> = { id, queue, name, payload, priority, attempt, maxAttempts, enqueuedAtMs };
  // No spread: see `jobWith`.
  if (timeoutMs !== undefined) job.timeoutMs = timeoutMs;
  if (headers !== undefined) job.headers = headers;
  return job;
}

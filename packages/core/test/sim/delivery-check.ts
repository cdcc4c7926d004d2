import type { ClaimedJob } from '../../src/engine/engine-calls.js';
import type { KnownJob } from './known-job.js';
import type { Ledger } from './ledger.js';

export interface Moment {
  readonly wallMs: number;
  readonly monotonicMs: number;
  /** The last commit that was written. */
  readonly seq: number;
}

/** A claim was answered with this job: may it have been? */
export function delivered(ledger: Ledger, claimed: ClaimedJob, leaseMs: number, at: Moment): void {
  const { checks } = ledger;
  const { id, token, attempt } = claimed;
  checks.that(6, token > ledger.lastToken, () => `token ${token} follows ${ledger.lastToken}`);
  ledger.lastToken = token;
  const job = ledger.jobs.get(id);
  const isAsked = () =>
    [...ledger.openEnqueues].some(({ specs }) => specs.some(({ payload }) => payload === claimed.payload));
  checks.that(3, job !== undefined || !isAsked(), () => `job ${id} runs before its enqueue was answered`);
  checks.that(2, job !== undefined, () => `job ${id} (${String(claimed.payload)}) was never enqueued`);
  if (job === undefined) return;
  checkContents(ledger, job, claimed);
  if (job.vagueUpToSeq < at.seq) {
    checkState(ledger, job, claimed, at);
    checkOrder(ledger, job, at);
  }
  job.change(at.seq, 'leased', attempt);
  job.token = token;
  job.deadlineMs = at.monotonicMs + leaseMs;
  job.expiresAtMs = undefined;
  job.wasOffered = false;
  job.repeat = undefined;
}

function checkContents(
  { checks }: Ledger,
  { id, spec, priority, queue, openCalls }: KnownJob,
  { payload, shape }: ClaimedJob,
): void {
  const found = [payload, shape.queue, shape.name, shape.maxAttempts];
  const wanted = [spec.payload, openCalls.includes('transfer') ? shape.queue : queue, spec.name, spec.maxAttempts];
  checks.that(2, String(found) === String(wanted), () => `job ${id} is ${String(found)}, not ${String(wanted)}`);
  const isKnown = !openCalls.includes('reprioritise');
  checks.that(
    2,
    !isKnown || shape.priority === priority,
    () => `job ${id} has priority ${shape.priority}, not ${priority}`,
  );
}

function checkState(ledger: Ledger, job: KnownJob, { attempt }: ClaimedJob, { wallMs }: Moment): void {
  const { checks } = ledger;
  const { id, now, openCalls, spec } = job;
  const isOpen = (call: (typeof openCalls)[number]) => openCalls.includes(call);
  checks.that(5, now.state !== 'leased', () => `job ${id} is leased twice`);
  checks.that(4, now.state !== 'completed', () => `job ${id} runs after its ack`);
  checks.that(9, now.state !== 'dead' || isOpen('redrive'), () => `job ${id} runs though it is dead`);
  const isGone = now.state === 'cancelled' || now.state === 'removed';
  checks.that(24, !isGone, () => `job ${id} runs though it is ${now.state}`);
  const isPaused = !isOpen('transfer') && ledger.isPaused(job.queue, wallMs);
  checks.that(24, !isPaused, () => `job ${id} runs though ${job.queue} is paused`);
  const before = now.state === 'dead' ? 0 : now.attempts;
  checks.that(
    8,
    attempt === before + 1 || isOpen('redrive') || (ledger.readsFail && attempt > before),
    () => `attempt ${attempt} of job ${id} follows ${before}`,
  );
  const { maxAttempts } = spec;
  checks.that(
    9,
    maxAttempts === null || attempt <= maxAttempts,
    () => `attempt ${attempt} of job ${id} is above ${maxAttempts}`,
  );
  checks.that(
    10,
    attempt === 1 || job.repeat !== undefined || isOpen('redrive') || ledger.readsFail,
    () => `job ${id} runs again without a reason`,
  );
  const isAnyTime = isOpen('runNow') || isOpen('redrive') || job.wasDue;
  checks.that(
    15,
    wallMs >= job.runAtMs || isAnyTime,
    () => `job ${id} runs ${job.runAtMs - wallMs} ms before its time`,
  );
  const { expiresAtMs = Number.POSITIVE_INFINITY } = job;
  checks.that(15, wallMs < expiresAtMs || job.wasOffered, () => `job ${id} starts though it has expired`);
}

/** Of jobs of one queue that nothing has moved, those of a lower priority number start first, then the older ones. */
function checkOrder(ledger: Ledger, job: KnownJob, { wallMs, seq }: Moment): void {
  if (!isInOrder(job) || ledger.readsFail) return;
  const { id } = job;
  const passed = [...ledger.jobs.values()].find(
    (other) =>
      comesBefore(other, job) &&
      isInOrder(other) &&
      isBeside(other, job) &&
      other.runAtMs <= wallMs &&
      other.vagueUpToSeq < seq,
  );
  ledger.checks.that(14, passed === undefined, () => `job ${id} starts before job ${passed?.id}`);
}

function isInOrder({ ordered, now, repeat, openCalls }: KnownJob): boolean {
  return ordered && now.state === 'waiting' && now.attempts === 0 && repeat === undefined && openCalls.length === 0;
}

function isBeside(one: KnownJob, other: KnownJob): boolean {
  return one.queue === other.queue && one.spec.name === other.spec.name;
}

function comesBefore(one: KnownJob, other: KnownJob): boolean {
  return one.priority === other.priority ? one.id < other.id : one.priority < other.priority;
}

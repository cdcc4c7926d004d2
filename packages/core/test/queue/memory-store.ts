import {
  type AckItem,
  type ActOutcome,
  type ClaimRequest,
  type Clock,
  type Enqueued,
  type ExtendItem,
  type FailItem,
  InvalidJobError,
  JOB_STATES,
  type JobDetail,
  type JobError,
  type JobState,
  type LeasedJob,
  type LeaseRef,
  type NewJob,
  type Payload,
  type QueueSummary,
  type ReleaseItem,
  type Selection,
  type SettleAnswer,
} from '@holdfast/contract';
import type { QueueStore } from '../../src/queue/queue.js';
import type { WorkerStore } from '../../src/queue/worker-options.js';

interface MemoryJob {
  readonly id: string;
  readonly job: NewJob;
  state: JobState;
  attempts: number;
  token: string;
  leaseEndsAtMs: number;
  runAtMs: number;
  result?: Payload;
  errors: JobError[];
}

type Call = 'enqueue' | 'claim' | 'ack' | 'fail' | 'release' | 'extend';

/**
 * Enough of a store to try queue and worker on: plain loops over a list, no jitter, leases that end when they are
 * looked at.
 */
export class MemoryStore implements QueueStore, WorkerStore {
  readonly capabilities = { kind: 'memory', payloadBytesMax: 1024, enqueueJobsMax: 1000, claimJobsMax: 100 };
  /** Every call with the number of its items (claim: its limit). */
  readonly calls: [Call, number][] = [];
  readonly jobs: MemoryJob[] = [];
  /** Called before each call does anything; what it throws is the call's error, what it returns is waited for. */
  disturb: (call: Call) => Promise<void> | void = () => {};
  readonly #clock: Clock;
  #tokens = 0;
  #waiting: (() => void)[] = [];

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  async enqueue(jobs: readonly NewJob[]): Promise<Enqueued[]> {
    await this.#begin('enqueue', jobs.length);
    const tooBig = jobs.findIndex((job) => job.payload.length > this.capabilities.payloadBytesMax);
    if (tooBig >= 0) throw new InvalidJobError(tooBig, 'payload', 'is too big');
    return jobs.map((job) => this.#add(job));
  }

  async claim(request: ClaimRequest): Promise<LeasedJob[]> {
    await this.#begin('claim', request.limit);
    const endsAtMs = this.#clock.monotonicMs() + (request.waitMs ?? 0);
    for (;;) {
      if (request.signal?.aborted) return [];
      const found = this.#ready(request);
      const leftMs = endsAtMs - this.#clock.monotonicMs();
      if (found.length > 0 || leftMs <= 0) return found.map((job) => this.#lease(job, request.leaseMs));
      await this.#wake(leftMs, request.signal);
    }
  }

  ack(items: readonly AckItem[]): Promise<SettleAnswer[]> {
    return this.#settle('ack', items, (job, { result }) => {
      job.state = 'completed';
      if (result !== undefined) job.result = result;
    });
  }

  fail(items: readonly FailItem[]): Promise<SettleAnswer[]> {
    return this.#settle('fail', items, (job, item) => {
      job.errors.push(item.error);
      if (item.then === 'cancel') {
        job.state = 'cancelled';
        return;
      }
      const last = item.then === 'dead' || job.attempts >= (job.job.maxAttempts ?? 5);
      job.state = last ? 'dead' : 'scheduled';
      const delayMs = typeof item.then === 'object' ? item.then.retryInMs : (job.job.backoff?.baseMs ?? 1000);
      job.runAtMs = this.#clock.monotonicMs() + delayMs;
    });
  }

  release(items: readonly ReleaseItem[]): Promise<SettleAnswer[]> {
    return this.#settle('release', items, (job, { delayMs = 0 }) => {
      job.attempts--;
      job.state = delayMs > 0 ? 'scheduled' : 'ready';
      job.runAtMs = this.#clock.monotonicMs() + delayMs;
    });
  }

  extend(items: readonly ExtendItem[]): Promise<SettleAnswer[]> {
    return this.#settle('extend', items, (job, { leaseMs }) => {
      job.leaseEndsAtMs = this.#clock.monotonicMs() + leaseMs;
    });
  }

  async queues(wanted?: readonly string[]): Promise<QueueSummary[]> {
    const all = [...new Set(this.jobs.map(({ job }) => job.queue))];
    const names = wanted === undefined ? all : all.filter((name) => wanted.includes(name));
    return names.map((name) => ({ name, counts: this.#counts(name), retrying: 0, throughput: NO_THROUGHPUT }));
  }

  async job(id: string): Promise<JobDetail | undefined> {
    const found = this.jobs.find((job) => job.id === id);
    return found === undefined ? undefined : toDetail(found);
  }

  async redrive(selection: Selection): Promise<ActOutcome> {
    const chosen = this.jobs.filter(({ id, job, state }) =>
      'ids' in selection
        ? selection.ids.includes(id)
        : state === selection.all.state && job.queue === (selection.all.queue ?? job.queue),
    );
    const dead = chosen.filter(({ state }) => state === 'dead');
    for (const job of dead) Object.assign(job, { state: 'ready', attempts: 0 });
    return { matched: chosen.length, done: dead.length, skipped: {} };
  }

  /** Other acts are tried on a real store: see queue-acts.test.ts. */
  readonly cancel = refuse;
  readonly remove = refuse;
  readonly runNow = refuse;
  readonly reprioritise = refuse;
  readonly transfer = refuse;
  readonly pause = refuse;
  readonly resume = refuse;

  /** Ends every lease, as when the engine was lost and reopened. */
  endLeases(): void {
    for (const job of this.jobs) if (job.state === 'leased') Object.assign(job, { state: 'ready', token: '' });
  }

  /** As an operator would. */
  cancelAt(index: number): void {
    this.jobs[index]!.state = 'cancelled';
  }

  stateOf(index: number): JobState | undefined {
    return this.jobs[index]?.state;
  }

  callsOf(call: Call): number[] {
    return this.calls.filter(([name]) => name === call).map(([, items]) => items);
  }

  async #begin(call: Call, items: number): Promise<void> {
    this.calls.push([call, items]);
    await this.disturb(call);
  }

  #add(job: NewJob): Enqueued {
    const state = (job.delayMs ?? 0) > 0 ? 'scheduled' : 'ready';
    const runAtMs = this.#clock.monotonicMs() + (job.delayMs ?? 0);
    const id = `memory-${this.jobs.length + 1}`;
    this.jobs.push({ id, job, state, attempts: 0, token: '', leaseEndsAtMs: 0, runAtMs, errors: [] });
    for (const wake of this.#waiting.splice(0)) wake();
    return { id, state, outcome: 'created' };
  }

  #ready({ queues, names, limit }: ClaimRequest): MemoryJob[] {
    const nowMs = this.#clock.monotonicMs();
    for (const job of this.jobs) {
      if (job.state === 'leased' && job.leaseEndsAtMs <= nowMs) Object.assign(job, { state: 'ready', token: '' });
      if (job.state === 'scheduled' && job.runAtMs <= nowMs) job.state = 'ready';
    }
    const fits = ({ state, job }: MemoryJob) =>
      state === 'ready' && queues.includes(job.queue) && (names === undefined || names.includes(job.name));
    return this.jobs.filter(fits).slice(0, limit);
  }

  #lease(job: MemoryJob, leaseMs: number): LeasedJob {
    job.state = 'leased';
    job.attempts++;
    job.token = `1.${++this.#tokens}`;
    job.leaseEndsAtMs = this.#clock.monotonicMs() + leaseMs;
    const { queue, name, payload, priority = 0, maxAttempts = 5, timeoutMs } = job.job;
    const lease = { id: job.id, token: job.token, attempt: job.attempts, leaseMs };
    const limit = timeoutMs === undefined ? {} : { timeoutMs };
    return { ...lease, ...limit, queue, name, payload, priority, maxAttempts, enqueuedAtMs: 0 };
  }

  /** Until a job comes, may have become due, the wait is over or the caller gives up. */
  #wake(leftMs: number, signal: AbortSignal | undefined): Promise<void> {
    const nowMs = this.#clock.monotonicMs();
    const due = this.jobs.filter(({ state }) => state === 'scheduled').map(({ runAtMs }) => runAtMs - nowMs);
    return new Promise((resolve) => {
      const wake = () => {
        this.#clock.clearTimer(timer);
        signal?.removeEventListener('abort', wake);
        resolve();
      };
      const timer = this.#clock.setTimer(Math.max(0, Math.min(leftMs, ...due)), wake);
      signal?.addEventListener('abort', wake);
      this.#waiting.push(wake);
    });
  }

  async #settle<Item extends LeaseRef>(
    call: Call,
    items: readonly Item[],
    apply: (job: MemoryJob, item: Item) => void,
  ): Promise<SettleAnswer[]> {
    await this.#begin(call, items.length);
    return items.map((item) => {
      const job = this.jobs.find(({ id }) => id === item.id);
      if (job === undefined) return 'missing';
      if (job.state === 'cancelled') return 'cancelled';
      const live = job.state === 'leased' && job.leaseEndsAtMs > this.#clock.monotonicMs();
      if (!live || job.token !== item.token) return 'stale';
      apply(job, item);
      for (const wake of this.#waiting.splice(0)) wake();
      return 'ok';
    });
  }

  #counts(queue: string): Record<JobState, number> {
    const count = (state: JobState) =>
      this.jobs.filter(({ job, state: is }) => job.queue === queue && is === state).length;
    return Object.fromEntries(JOB_STATES.map((state) => [state, count(state)])) as Record<JobState, number>;
  }
}

async function refuse(): Promise<never> {
  throw new Error('This double does not know that call.');
}

const NO_THROUGHPUT = { fromMs: 0, stepMs: 1000, enqueued: [], completed: [], failed: [] };

function toDetail({ id, job, state, attempts, result }: MemoryJob): JobDetail {
  const { queue, name, payload, priority = 0, maxAttempts = 5 } = job;
  const times = { enqueuedAtMs: 0, runAtMs: 0, updatedAtMs: 0, payloadBytes: payload.length, attemptLog: [], acts: [] };
  const detail = { id, queue, name, payload, state, priority, attempts, maxAttempts, ...times };
  return result === undefined ? detail : { ...detail, result };
}

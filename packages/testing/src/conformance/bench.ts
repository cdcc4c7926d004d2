import type {
  ClaimRequest,
  Enqueued,
  EventsRequest,
  JobDetail,
  JobStore,
  LeasedJob,
  LeaseRef,
  NewJob,
  RetentionOptions,
  StoreEvent,
} from '@holdfast/contract';
import { expect } from 'vitest';
import type { VirtualClock } from '../virtual-clock.js';
import type { OpenedStore } from './opened-store.js';
import { realTime, type TestTime, virtualTime } from './test-time.js';

/** A job that says nothing special. Its retries come after a second sharp. */
export const JOB: NewJob = {
  queue: 'mail',
  name: 'send',
  payload: '{}',
  backoff: { kind: 'fixed', baseMs: 1000, maxMs: 1000, jitter: 'none' },
};

export const CLAIM: ClaimRequest = { queues: ['mail'], limit: 10, leaseMs: 2000, worker: 'worker-1' };

export const FAILURE = { class: 'TypeError', message: 'no such thing' };

/** In three queues jobs that came to an end are not kept for long; in all others as by default. */
export const BENCH_RETENTION = {
  queues: {
    'keeps two': { completed: { count: 2 }, cancelled: { count: 2 }, dead: { count: 2 } },
    'keeps a second': { completed: { ageMs: 1000 }, cancelled: { ageMs: 1000 }, dead: { ageMs: 1000 } },
    'keeps ten bytes': { completed: { bytes: 10 }, cancelled: { bytes: 10 }, dead: { bytes: 10 } },
  },
} as const satisfies RetentionOptions;

/** A store may end leases and start jobs this much late: it may look only now and then. */
export const SWEEP_MS = 3000;

/** The store of one test with short words for what tests do with it. */
export class Bench {
  store: JobStore;
  readonly time: TestTime;
  readonly #opened: OpenedStore;
  readonly #skip: (reason: string) => never;

  /** @param skip leaves the test and says why */
  constructor(opened: OpenedStore, skip: (reason: string) => never) {
    this.#opened = opened;
    this.#skip = skip;
    this.store = opened.store;
    this.time = opened.clock === undefined ? realTime : virtualTime(opened.clock);
  }

  /** For tests that set the wall clock. */
  get clock(): VirtualClock {
    return this.#opened.clock ?? this.#skip('needs a store on a virtual clock');
  }

  /** Listens from now on. `seen` are the events so far; aborting `stop` ends it. */
  listen(request: EventsRequest = {}) {
    const stop = new AbortController();
    const seen: StoreEvent[] = [];
    const iterable = this.events({ ...request, signal: stop.signal });
    const ended = (async () => {
      for await (const event of iterable) seen.push(event);
    })();
    return { seen, stop, ended };
  }

  /** Events for who asks for each of them by hand. */
  events(request: EventsRequest = {}): AsyncIterable<StoreEvent> {
    const events = this.store.events?.bind(this.store) ?? this.#skip('tells no events');
    return events(request);
  }

  /** Leaves the test, for a store that may be without what it needs. */
  skip(reason: string): never {
    return this.#skip(reason);
  }

  /** How the store keeps notes. */
  get note() {
    return this.store.note?.bind(this.store) ?? this.#skip('keeps no notes');
  }

  onLeasesCancelled(listener: (leases: readonly LeaseRef[]) => void): () => void {
    const listen = this.store.onLeasesCancelled?.bind(this.store) ?? this.#skip('does not tell which leases end');
    return listen(listener);
  }

  needsRetention(): void {
    if (this.#opened.heedsRetention === undefined) this.#skip('keeps jobs that came to an end in a way of its own');
  }

  async reopen(how: 'closed' | 'killed'): Promise<void> {
    if (this.#opened.reopen === undefined) this.#skip('keeps nothing beyond its process');
    else this.store = await this.#opened.reopen(how);
  }

  enqueue(...jobs: Partial<NewJob>[]): Promise<Enqueued[]> {
    return this.store.enqueue(jobs.map((job) => ({ ...JOB, ...job })));
  }

  /** @returns the new job's id */
  async add(job: Partial<NewJob> = {}): Promise<string> {
    const [enqueued] = await this.enqueue(job);
    return present(enqueued).id;
  }

  claim(request: Partial<ClaimRequest> = {}): Promise<LeasedJob[]> {
    return this.store.claim({ ...CLAIM, ...request });
  }

  /** Claims the one job that is there. */
  async claimOne(request: Partial<ClaimRequest> = {}): Promise<LeasedJob> {
    const jobs = await this.claim({ limit: 1, ...request });
    expect(jobs).toHaveLength(1);
    return present(jobs[0]);
  }

  /** Enqueues a job and claims it. */
  async leased(job: Partial<NewJob> = {}, request: Partial<ClaimRequest> = {}): Promise<LeasedJob> {
    const id = await this.add(job);
    const claimed = await this.claimOne({ queues: [job.queue ?? JOB.queue], ...request });
    expect(claimed.id).toBe(id);
    return claimed;
  }

  /** Enqueues a job, claims it and fails it for good. */
  async dead(job: Partial<NewJob> = {}): Promise<string> {
    const claimed = await this.leased(job);
    await this.fail(claimed, 'dead');
    return claimed.id;
  }

  async ack(ref: LeaseRef, result?: string): Promise<string | undefined> {
    const item = result === undefined ? refOf(ref) : { ...refOf(ref), result };
    return (await this.store.ack([item]))[0];
  }

  async fail(ref: LeaseRef, ending: 'backoff' | 'dead' | 'cancel' | number = 'backoff', error = FAILURE) {
    const then = typeof ending === 'number' ? { retryInMs: ending } : ending;
    return (await this.store.fail([{ ...refOf(ref), error, then }]))[0];
  }

  async release(ref: LeaseRef, delayMs?: number) {
    return (await this.store.release([{ ...refOf(ref), ...(delayMs === undefined ? {} : { delayMs }) }]))[0];
  }

  async extend(ref: LeaseRef, leaseMs: number) {
    return (await this.store.extend([{ ...refOf(ref), leaseMs }]))[0];
  }

  /** A job that the store must know. */
  async job(id: string): Promise<JobDetail> {
    return present(await this.store.job(id));
  }

  async state(id: string): Promise<string | undefined> {
    return (await this.store.job(id))?.state;
  }

  /** Ids of all jobs of the default queue that can be claimed now, in order. They stay leased. */
  async claimedIds(request: Partial<ClaimRequest> = {}): Promise<string[]> {
    return (await this.claim({ limit: 100, ...request })).map(({ id }) => id);
  }

  /** Lets time pass until the check holds, at most `withinMs` of it. */
  async eventually(check: () => Promise<void>, withinMs: number = SWEEP_MS): Promise<void> {
    for (let leftMs = withinMs; leftMs > 0; leftMs -= STEP_MS) {
      try {
        await check();
        return;
      } catch {
        await this.time.advance(Math.min(STEP_MS, leftMs));
      }
    }
    await check();
  }
}

const STEP_MS = 50;

export function refOf({ id, token }: LeaseRef): LeaseRef {
  return { id, token };
}

export function present<Value>(value: Value | undefined): Value {
  if (value === undefined) throw new Error('The store gave nothing where it had to give something.');
  return value;
}

/** What a program without types may pass. */
export function untyped<Value>(value: unknown): Value {
  return value as Value;
}

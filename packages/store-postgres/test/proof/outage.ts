import { setTimeout as pause } from 'node:timers/promises';
import { HoldfastError, type JobStore, type LeaseRef, type StoreHealth } from '@holdfast/contract';
import { startWorker } from '@holdfast/core';
import { type StoreAccount, storeAccount } from '@holdfast/store-trials';
import type { PostgresRig } from '../test-database.js';
import { proofRig } from './proof-rig.js';

export interface OutageFigures extends StoreAccount {
  /** Jobs whose enqueue was answered. */
  readonly enqueued: number;
  /** Starts under a token that was seen before. */
  readonly sharedLeases: number;
  /** What the store's health went through. */
  readonly health: readonly StoreHealth['status'][];
  /** From the end of the outage to the first job that was started after it. */
  readonly resumedAfterMs: number;
  /** What became of the ack of a lease that was held through the outage, after somebody else had its job. */
  readonly lateAck: string;
}

const LOOK_MS = 10;
const ENQUEUE_JOBS = 10;
const JOBS_BEFORE = 200;
const JOBS_AFTER = 200;
const LEASE_MS = 1000;
const WORKING = { concurrency: 4, leaseMs: LEASE_MS };
const BACKOFF = { kind: 'fixed', baseMs: 0, maxMs: 0, jitter: 'none' } as const;
const JOB = { queue: 'proof', name: 'count', payload: '{}', maxAttempts: null, backoff: BACKOFF } as const;
const FROZEN = { ...JOB, queue: 'frozen' };

/**
 * A producer and a worker go on through an outage as any application does: the producer repeats what was not answered under its request id,
 * the worker is left to itself.
 * @param app the store of both, through whatever fails
 * @param outage resolves when it is over
 */
export async function endure(app: JobStore, rig: PostgresRig, outage: () => Promise<void>): Promise<OutageFigures> {
  const watch = new HealthWatch(app);
  const producer = new Producer(app);
  const starts: { readonly token: string; readonly atMs: number }[] = [];
  const worker = startWorker<{ count: unknown }>({
    store: app,
    queue: JOB.queue,
    ...WORKING,
    handlers: { count: (_, { token }) => void starts.push({ token, atMs: performance.now() }) },
  });
  worker.on('error', () => {});
  const frozen = await freeze(app);
  await producer.produce(JOBS_BEFORE);
  const producing = producer.untilStopped();
  await outage();
  const overAtMs = performance.now();
  producer.stop();
  await producing;
  await until(() => app.health().status === 'open');
  await producer.produce(JOBS_AFTER);
  const completed = async () => (await account(rig)).completed;
  while ((await completed()) < producer.answered) await pause(LOOK_MS);
  await worker.close();
  const lateAck = await thaw(app, frozen);
  const resumed = starts.find(({ atMs }) => atMs > overAtMs);
  return {
    ...(await account(rig)),
    enqueued: producer.answered,
    sharedLeases: starts.length - new Set(starts.map(({ token }) => token)).size,
    health: watch.end(),
    resumedAfterMs: Math.round((resumed?.atMs ?? Number.NaN) - overAtMs),
    lateAck,
  };
}

/** What is wrong with the figures, in words; nothing where the proof holds. */
export function faultsOfOutage(figures: OutageFigures): string[] {
  const { enqueued, completed, attempts, expired, unexplained, sharedLeases, health, lateAck } = figures;
  const claims: readonly (readonly [boolean, string])[] = [
    [completed === enqueued, `${completed} jobs completed, but ${enqueued} were enqueued`],
    [attempts === completed + expired, `${attempts} attempts, but ${completed} jobs and ${expired} expired leases`],
    [unexplained === 0, `${unexplained} jobs with an attempt that nothing explains`],
    [sharedLeases === 0, `${sharedLeases} leases were given out twice`],
    [health.includes('failed') && health.at(-1) === 'open', `health went ${health.join(', ')}`],
    [lateAck === 'stale', `a late ack was answered ${lateAck}`],
  ];
  return claims.filter(([holds]) => !holds).map(([, problem]) => problem);
}

function account(rig: PostgresRig): Promise<StoreAccount> {
  return storeAccount(proofRig(rig), JOB.queue);
}

/** Enqueues each batch exactly once, whatever happens on the way. */
class Producer {
  answered = 0;
  readonly #store: JobStore;
  #requests = 0;
  #stopped = false;

  constructor(store: JobStore) {
    this.#store = store;
  }

  async produce(jobs: number): Promise<void> {
    for (let left = jobs; left > 0; left -= ENQUEUE_JOBS) await this.#once();
  }

  async untilStopped(): Promise<void> {
    while (!this.#stopped) {
      await this.#once();
      await pause(LOOK_MS);
    }
  }

  stop(): void {
    this.#stopped = true;
  }

  async #once(): Promise<void> {
    const requestId = `request-${this.#requests++}`;
    const jobs = Array.from({ length: ENQUEUE_JOBS }, () => JOB);
    await untilAnswered(() => this.#store.enqueue(jobs, { requestId }));
    this.answered += ENQUEUE_JOBS;
  }
}

/** Every change of a store's health. */
class HealthWatch {
  readonly #store: JobStore;
  readonly #seen: StoreHealth['status'][] = [];
  readonly #timer: NodeJS.Timeout;

  constructor(store: JobStore) {
    this.#store = store;
    this.#timer = setInterval(() => this.#look(), 1);
  }

  end(): readonly StoreHealth['status'][] {
    clearInterval(this.#timer);
    this.#look();
    return this.#seen;
  }

  #look(): void {
    const { status } = this.#store.health();
    if (this.#seen.at(-1) !== status) this.#seen.push(status);
  }
}

/** A job that a worker has and does not go on with. */
async function freeze(store: JobStore): Promise<LeaseRef> {
  await store.enqueue([FROZEN]);
  const [job] = await store.claim({ queues: [FROZEN.queue], limit: 1, leaseMs: LEASE_MS, worker: 'frozen' });
  if (job === undefined) throw new Error('There was a job.');
  return { id: job.id, token: job.token };
}

/** Somebody else has the job by now; whoever had it before comes back to life. */
async function thaw(store: JobStore, frozen: LeaseRef): Promise<string> {
  const claim = { queues: [FROZEN.queue], limit: 1, leaseMs: 60_000, waitMs: 60_000, worker: 'other' };
  const [job] = await untilAnswered(() => store.claim(claim));
  const [late] = await untilAnswered(() => store.ack([frozen]));
  const [ok] = await untilAnswered(() => store.ack([{ id: job?.id ?? '', token: job?.token ?? '' }]));
  return ok === 'ok' ? String(late) : `${late}, and that of the live lease ${ok}`;
}

async function untilAnswered<Answer>(call: () => Promise<Answer>): Promise<Answer> {
  for (;;) {
    try {
      return await call();
    } catch (error) {
      if (!(error instanceof HoldfastError) || error.code !== 'STORE_FAILED') throw error;
      await pause(LOOK_MS);
    }
  }
}

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await pause(LOOK_MS);
}

import type { Metrics } from './metrics.js';
import { makeOrder, type Order } from './order.js';
import type { Peer } from './peer.js';
import { processorTime } from './processor-time.js';
import { percentile } from './statistics.js';

/** So many that compilers are through with the code that is measured. */
export const WARM_UP_JOBS = 50_000;
const PER_CALL = 1000;

/** Warms up with a small run, then measures a full one: how fast, and what it costs. */
export async function throughput(jobs: number, work: (jobs: number) => Promise<void>): Promise<Metrics> {
  await work(Math.min(WARM_UP_JOBS, jobs));
  const before = processorTime();
  const startMs = performance.now();
  await work(jobs);
  const seconds = (performance.now() - startMs) / 1000;
  const after = processorTime();
  const speed = { jobsPerSecond: jobs / seconds };
  if (before.thread === undefined || after.thread === undefined) return speed;
  const app = after.thread - before.thread;
  return {
    ...speed,
    appMicroseconds: app / jobs,
    otherMicroseconds: Math.max(0, after.process - before.process - app) / jobs,
  };
}

export function waits(latenciesMs: readonly number[]): { readonly p50Ms: number; readonly p99Ms: number } {
  return { p50Ms: percentile(latenciesMs, 0.5), p99Ms: percentile(latenciesMs, 0.99) };
}

/** Enqueues one after the other. @returns how long each took */
export async function enqueueInTurn(peer: Peer, jobs: number, latenciesMs: number[] = []): Promise<number[]> {
  for (let number = 0; number < jobs; number++) {
    const startMs = performance.now();
    await peer.enqueue(makeOrder(number));
    latenciesMs.push(performance.now() - startMs);
  }
  return latenciesMs;
}

/** A thousand producers, each of which waits for its own job to be durable before it enqueues its next. */
export async function enqueueInFlight(peer: Peer, jobs: number, inFlight = 1000): Promise<void> {
  let next = 0;
  const produce = async () => {
    while (next < jobs) await peer.enqueue(makeOrder(next++));
  };
  await Promise.all(Array.from({ length: inFlight }, produce));
}

export async function enqueueInBulk(peer: Peer, jobs: number): Promise<void> {
  for (let first = 0; first < jobs; first += PER_CALL) {
    const length = Math.min(PER_CALL, jobs - first);
    await peer.enqueueMany(Array.from({ length }, (_, index): Order => makeOrder(first + index)));
  }
}

/** A worker handles as many jobs as wait, with a handler that does nothing. */
export async function drainAll(peer: Peer, jobs: number, concurrency: number): Promise<void> {
  let handled = 0;
  let finish = () => {};
  const finished = new Promise<void>((resolve) => {
    finish = resolve;
  });
  const worker = peer.work(concurrency, async () => {
    if (++handled === jobs) finish();
  });
  await finished;
  await worker.close();
}

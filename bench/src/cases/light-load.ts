import { setTimeout as pause } from 'node:timers/promises';
import type { BenchCase } from '../bench-case.js';
import { own } from '../goals.js';
import { enqueueInFlight, waits } from '../measure.js';
import { makeOrder } from '../order.js';

const PER_SECOND = 200;
const WARM_UP = 0.2;
/** Enough for compilers to know the way of a job: an application that has run for a minute knows it. */
const WARM_UP_JOBS = 10_000;
const WARM_UP_IN_FLIGHT = 100;

/** Two hundred jobs a second for a worker that has nothing else to do. */
export const lightLoad: BenchCase = {
  name: 'light-load',
  title: 'enqueue → handler, 200 jobs/s',
  peers: ['holdfast', 'sqlite'],
  jobs: 1000,
  goals: [
    { title: 'enqueue → handler p50, ms', atMost: 0.5, figure: own('p50Ms') },
    { title: 'enqueue → handler p99, ms', atMost: 1.2, figure: own('p99Ms') },
  ],
  async run({ open, jobs }) {
    const peer = await open();
    const enqueuedAtMs = new Map<string, number>();
    const latenciesMs: number[] = [];
    let warm = 0;
    let begin = () => {};
    const warmedUp = new Promise<void>((resolve) => {
      begin = resolve;
    });
    const worker = peer.work(10, async ({ orderId }) => {
      const atMs = enqueuedAtMs.get(orderId);
      if (atMs !== undefined) latenciesMs.push(performance.now() - atMs);
      else if (++warm === WARM_UP_JOBS) begin();
    });
    await enqueueInFlight(peer, WARM_UP_JOBS, WARM_UP_IN_FLIGHT);
    await warmedUp;
    const startMs = performance.now();
    for (let number = 0; number < jobs; number++) {
      await pause(Math.max(0, startMs + (number * 1000) / PER_SECOND - performance.now()));
      const order = makeOrder(number);
      enqueuedAtMs.set(order.orderId, performance.now());
      await peer.enqueue(order);
    }
    await worker.close();
    await peer.close();
    return waits(latenciesMs.slice(Math.floor(latenciesMs.length * WARM_UP)));
  },
};

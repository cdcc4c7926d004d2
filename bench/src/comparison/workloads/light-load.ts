import { setTimeout as pause } from 'node:timers/promises';
import { waits } from '../../measure.js';
import { makeOrder } from '../../order.js';
import { numberOf, Tally } from '../tally.js';
import { expectCounts, type Workload } from '../workload.js';

const PER_SECOND = 200;
const SECONDS = 5;
const WARM_UP_JOBS = 100;
const CONCURRENCY = 10;

/** Jobs come at their times whether or not the one before was answered, as requests of users do. */
export const lightLoad: Workload = {
  name: 'latency',
  title: 'enqueue → handler, 200 jobs/s',
  compared: ['p50Ms', 'p99Ms'],
  async run({ queue, scale }) {
    const jobs = WARM_UP_JOBS + Math.max(PER_SECOND, PER_SECOND * SECONDS * scale);
    const enqueuedAtMs = new Float64Array(jobs);
    const latenciesMs: number[] = [];
    const tally = new Tally(jobs);
    let end = () => {};
    const ended = new Promise<void>((resolve) => {
      end = resolve;
    });
    const worker = queue.work(CONCURRENCY, async (order) => {
      tally.note(order);
      const number = numberOf(order);
      if (number >= WARM_UP_JOBS) latenciesMs.push(performance.now() - enqueuedAtMs[number]!);
      if (tally.total === jobs) setImmediate(end);
    });
    const answers: Promise<unknown>[] = [];
    const startMs = performance.now();
    for (let number = 0; number < jobs; number++) {
      await pause(Math.max(0, startMs + (number * 1000) / PER_SECOND - performance.now()));
      enqueuedAtMs[number] = performance.now();
      answers.push(queue.enqueue(makeOrder(number)));
    }
    await Promise.all(answers);
    await ended;
    await worker.close();
    tally.expect(() => 1);
    await expectCounts(queue, 0);
    return waits(latenciesMs);
  },
};

import { setTimeout as pause } from 'node:timers/promises';
import { enqueueInFlight, waits } from '../../measure.js';
import { makeOrder } from '../../order.js';
import { numberOf, Tally } from '../tally.js';
import { expectCounts, type Workload } from '../workload.js';

const PER_SECOND = 200;
const SECONDS = 5;
/** As fast as the queue takes them, so that compilers know the way of a job; then some more at the pace that is measured. */
const WARM_UP_JOBS = 2000;
const PACED_WARM_UP_JOBS = 100;
const WARM_UP_IN_FLIGHT = 100;
const CONCURRENCY = 10;

/** Jobs come at their times whether or not the one before was answered, as requests of users do. */
export const lightLoad: Workload = {
  name: 'latency',
  title: 'enqueue → handler, 200 jobs/s',
  compared: ['p50Ms', 'p99Ms'],
  async run({ queue, scale }) {
    const firstMeasured = WARM_UP_JOBS + PACED_WARM_UP_JOBS;
    const jobs = firstMeasured + Math.max(PER_SECOND, PER_SECOND * SECONDS * scale);
    const enqueuedAtMs = new Float64Array(jobs);
    const latenciesMs: number[] = [];
    const tally = new Tally(jobs);
    let begin = () => {};
    const warmedUp = new Promise<void>((resolve) => {
      begin = resolve;
    });
    let end = () => {};
    const ended = new Promise<void>((resolve) => {
      end = resolve;
    });
    const worker = queue.work(CONCURRENCY, async (order) => {
      tally.note(order);
      const number = numberOf(order);
      if (number >= firstMeasured) latenciesMs.push(performance.now() - enqueuedAtMs[number]!);
      if (tally.total === WARM_UP_JOBS) begin();
      if (tally.total === jobs) setImmediate(end);
    });
    await enqueueInFlight(queue, WARM_UP_JOBS, WARM_UP_IN_FLIGHT);
    await warmedUp;
    const answers: Promise<unknown>[] = [];
    const startMs = performance.now();
    for (let number = WARM_UP_JOBS; number < jobs; number++) {
      await pause(Math.max(0, startMs + ((number - WARM_UP_JOBS) * 1000) / PER_SECOND - performance.now()));
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

import { waits } from '../../measure.js';
import { makeOrder } from '../../order.js';
import type { ComparedQueue } from '../compared-queue.js';
import { expectCounts, meterProcessor, perJob, type Workload, type WorkloadRun } from '../workload.js';

const WARM_UP_SECONDS = 0.5;
const WARM_UP_SCALE_MIN = 0.2;
const SECONDS = 2;
const IN_FLIGHT = 1000;
const PER_CALL = 1000;

export const enqueueInTurn: Workload = {
  name: 'enqueue',
  title: 'enqueue, one at a time',
  compared: ['jobsPerSecond'],
  async run(run) {
    const latenciesMs: number[] = [];
    const inTurn: Produce = async (queue, isOver, next) => {
      latenciesMs.length = 0;
      while (!isOver()) {
        const startMs = performance.now();
        await queue.enqueue(makeOrder(next()));
        latenciesMs.push(performance.now() - startMs);
      }
    };
    const figures = await measure(run, inTurn);
    return { ...figures, ...waits(latenciesMs) };
  },
};

export const enqueueInFlight: Workload = {
  name: 'enqueue-in-flight',
  title: 'enqueue, 1,000 in flight',
  compared: ['jobsPerSecond'],
  run: (run) =>
    measure(run, async (queue, isOver, next) => {
      const produce = async () => {
        while (!isOver()) await queue.enqueue(makeOrder(next()));
      };
      await Promise.all(Array.from({ length: IN_FLIGHT }, produce));
    }),
};

export const enqueueInBulk: Workload = {
  name: 'enqueue-bulk',
  title: 'enqueue, 1,000 a call',
  compared: ['jobsPerSecond'],
  run: (run) =>
    measure(run, async (queue, isOver, next) => {
      while (!isOver()) await queue.enqueueMany(Array.from({ length: PER_CALL }, () => makeOrder(next())));
    }),
};

/** Enqueues until the time is over; resolves when every call was answered. */
type Produce = (queue: ComparedQueue, isOver: () => boolean, next: () => number) => Promise<void>;

/** By time, not by number: peers differ a hundredfold. Every job that was answered has to be there afterwards. */
async function measure({ queue, server, scale }: WorkloadRun, produce: Produce) {
  let jobs = 0;
  const forSeconds = async (seconds: number) => {
    const endMs = performance.now() + seconds * 1000;
    await produce(
      queue,
      () => performance.now() >= endMs,
      () => jobs++,
    );
  };
  // Code that is not compiled yet is not what is compared, however short the run.
  await forSeconds(WARM_UP_SECONDS * Math.max(scale, WARM_UP_SCALE_MIN));
  const warmedUp = jobs;
  const processor = meterProcessor(server);
  const startMs = performance.now();
  await forSeconds(SECONDS * scale);
  const seconds = (performance.now() - startMs) / 1000;
  const used = processor();
  await expectCounts(queue, jobs);
  return { jobsPerSecond: (jobs - warmedUp) / seconds, ...perJob(used, jobs - warmedUp) };
}

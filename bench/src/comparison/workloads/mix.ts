import { setTimeout as pause } from 'node:timers/promises';
import { enqueueInBulk } from '../../measure.js';
import type { Order } from '../../order.js';
import { ATTEMPTS_MAX } from '../compared-queue.js';
import { numberOf, Tally } from '../tally.js';
import { expectCounts, meterProcessor, perJob, type Workload } from '../workload.js';

const CONCURRENCY = 100;
const WAIT_MS = 2;
/** Of what the peer drains with handlers that do nothing. */
const SHARE = 0.25;

/** Of a hundred orders sixty do nothing, thirty wait two milliseconds, eight fail once, two fail for good. */
export const mix: Workload = {
  name: 'mix',
  title: 'a mix of handlers, a tenth of them failing, concurrency 100',
  compared: ['jobsPerSecond'],
  async run({ queue, entrant, server, scale }) {
    const attemptsMax = entrant.attemptsMax ?? ATTEMPTS_MAX;
    const jobs = Math.max(500, Math.round((entrant.drainJobs * SHARE * scale) / 100) * 100);
    const attemptsOf = (number: number) => attemptsWanted(number, attemptsMax);
    const attempts = sum(jobs, attemptsOf);
    await enqueueInBulk(queue, jobs);
    const tally = new Tally(jobs);
    const processor = meterProcessor(server);
    const startMs = performance.now();
    let firstAttempts = 0;
    let allStartedMs = 0;
    await new Promise<void>((resolve) => {
      const worker = queue.work(CONCURRENCY, async (order) => {
        const attempt = tally.note(order);
        if (attempt === 1 && ++firstAttempts === jobs) allStartedMs = performance.now();
        if (tally.total === attempts) setImmediate(() => resolve(worker.close()));
        await handle(order, attempt);
      });
    });
    const endMs = performance.now();
    tally.expect(attemptsOf);
    await expectCounts(
      queue,
      0,
      sum(jobs, (number) => (failsForGood(number, attemptsMax) ? 1 : 0)),
    );
    return {
      jobsPerSecond: (jobs * 1000) / (allStartedMs - startMs),
      lastEndSeconds: (endMs - startMs) / 1000,
      ...perJob(processor(), jobs),
    };
  },
};

async function handle(order: Order, attempt: number): Promise<void> {
  const kind = numberOf(order) % 100;
  if (kind < 60) return;
  if (kind < 90) {
    await pause(WAIT_MS);
    return;
  }
  if (kind >= 98 || attempt === 1) throw new Error(`attempt ${attempt} of ${order.orderId} fails`);
}

/** How often an order is handled until it has ended. */
export function attemptsWanted(number: number, attemptsMax: number): number {
  const kind = number % 100;
  if (kind < 90) return 1;
  return Math.min(attemptsMax, kind < 98 ? 2 : attemptsMax);
}

export function failsForGood(number: number, attemptsMax: number): boolean {
  const kind = number % 100;
  return kind >= 98 || (kind >= 90 && attemptsMax === 1);
}

function sum(count: number, of: (number: number) => number): number {
  let total = 0;
  for (let number = 0; number < count; number++) total += of(number);
  return total;
}

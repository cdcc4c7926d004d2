import { enqueueInBulk } from '../../measure.js';
import { Tally } from '../tally.js';
import { expectCounts, meterProcessor, perJob, type Workload } from '../workload.js';

const CONCURRENCY = 100;
/** Before and after what is measured, so that no peer's start, and no peer's last and emptier fetches, are in it. */
const MARGIN = 0.2;

export const drain: Workload = {
  name: 'drain',
  title: 'handlers that do nothing, concurrency 100',
  compared: ['jobsPerSecond'],
  async run({ queue, entrant, server, scale }) {
    const jobs = Math.max(500, Math.round(entrant.drainJobs * scale));
    const margin = Math.round(jobs * MARGIN);
    const total = jobs + 2 * margin;
    await enqueueInBulk(queue, total);
    await expectCounts(queue, total);
    const tally = new Tally(total);
    const measured = { startMs: 0, endMs: 0, used: undefined as number | undefined };
    let processor = () => undefined as number | undefined;
    await new Promise<void>((resolve) => {
      const worker = queue.work(CONCURRENCY, async (order) => {
        tally.note(order);
        if (tally.total === margin) {
          processor = meterProcessor(server);
          measured.startMs = performance.now();
        }
        if (tally.total === margin + jobs) {
          measured.endMs = performance.now();
          measured.used = processor();
        }
        if (tally.total === total) setImmediate(() => resolve(worker.close()));
      });
    });
    tally.expect(() => 1);
    await expectCounts(queue, 0);
    return {
      jobsPerSecond: (jobs * 1000) / (measured.endMs - measured.startMs),
      ...perJob(measured.used, jobs),
    };
  },
};

import { setTimeout as pause } from 'node:timers/promises';
import { enqueueInBulk } from '../../measure.js';
import { Tally } from '../tally.js';
import { expectCounts, meterProcessor, type Workload } from '../workload.js';

const JOBS = 1000;
const CONCURRENCY = 10;
/** V8 tidies the memory of each thread seven to sixteen seconds after its work, once: that is the work's cost, not idleness. */
const SETTLE_MS = 20_000;
const IDLE_MS = 10_000;

/** A worker that has worked and has nothing to do: what it and its server go on using. */
export const idle: Workload = {
  name: 'idle',
  title: 'an idle worker and its server',
  compared: ['cpuMsPerSecond'],
  async run({ queue, server, scale }) {
    await enqueueInBulk(queue, JOBS);
    const tally = new Tally(JOBS);
    let end = () => {};
    const ended = new Promise<void>((resolve) => {
      end = resolve;
    });
    const worker = queue.work(CONCURRENCY, async (order) => {
      tally.note(order);
      if (tally.total === JOBS) setImmediate(end);
    });
    await ended;
    await pause(SETTLE_MS);
    const idleMs = Math.max(1000, IDLE_MS * scale);
    const processor = meterProcessor(server);
    await pause(idleMs);
    const used = processor();
    await worker.close();
    await expectCounts(queue, 0);
    return used === undefined ? {} : { cpuMsPerSecond: used / idleMs };
  },
};

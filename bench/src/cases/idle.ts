import { setTimeout as pause } from 'node:timers/promises';
import type { BenchCase } from '../bench-case.js';
import { own } from '../goals.js';
import { drainAll, enqueueInBulk } from '../measure.js';
import { processorTime } from '../processor-time.js';

/** V8 tidies the memory of each thread seven to sixteen seconds after its work, once: that is the work's cost, not idleness. */
const SETTLE_MS = 20_000;
/** Long enough that reading the processor times, a millisecond or two, does not count. */
const IDLE_MS = 30_000;

/** A store and a worker that have worked and have nothing left to do. */
export const idle: BenchCase = {
  name: 'idle',
  title: 'an idle store and worker',
  peers: ['holdfast'],
  jobs: 5000,
  goals: [{ title: 'idle: CPU ms in a second', atMost: 1, figure: own('cpuMsPerSecond') }],
  async run({ open, jobs }) {
    const peer = await open();
    await enqueueInBulk(peer, jobs);
    await drainAll(peer, jobs, 100);
    const worker = peer.work(100, async () => {});
    await pause(SETTLE_MS);
    const before = processorTime();
    await pause(IDLE_MS);
    const after = processorTime();
    await worker.close();
    await peer.close();
    return { cpuMsPerSecond: (after.process - before.process) / IDLE_MS };
  },
};

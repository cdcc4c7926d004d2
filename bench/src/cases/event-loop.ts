import { monitorEventLoopDelay } from 'node:perf_hooks';
import type { BenchCase } from '../bench-case.js';
import { own } from '../goals.js';
import { enqueueInFlight, throughput } from '../measure.js';

const NS_PER_MS = 1e6;

/** How late timers of the application are while it enqueues as fast as it can. */
export const eventLoop: BenchCase = {
  name: 'event-loop',
  title: 'event-loop delay, 1,000 enqueues in flight',
  peers: ['holdfast', 'sqlite'],
  jobs: 300_000,
  goals: [{ title: 'event-loop delay p99 under full load, ms', atMost: 10, figure: own('eventLoopP99Ms') }],
  async run({ open, jobs }) {
    const peer = await open();
    const delay = monitorEventLoopDelay({ resolution: 1 });
    const metrics = await throughput(jobs, async (count) => {
      delay.reset();
      delay.enable();
      await enqueueInFlight(peer, count);
      delay.disable();
    });
    await peer.close();
    return { jobsPerSecond: metrics.jobsPerSecond ?? 0, eventLoopP99Ms: delay.percentile(99) / NS_PER_MS };
  },
};

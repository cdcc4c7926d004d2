import type { BenchCase } from '../bench-case.js';
import { times } from '../goals.js';
import { enqueueInFlight, throughput } from '../measure.js';

/** A thousand producers in one process, each waiting for its own job to be durable before it enqueues its next. */
export const concurrentEnqueue: BenchCase = {
  name: 'concurrent-enqueue',
  title: 'enqueue, 1,000 in flight',
  peers: ['holdfast', 'bare', 'sqlite'],
  jobs: 200_000,
  goals: [
    { title: '1,000 in flight / bare', atLeast: 0.8, figure: times('jobsPerSecond', 'bare') },
    {
      title: '1,000 in flight / SQLite',
      atLeast: Number(process.versions.node.split('.')[0]) >= 24 ? 3 : 2,
      figure: times('jobsPerSecond', 'sqlite'),
    },
  ],
  async run({ open, jobs }) {
    const peer = await open();
    const metrics = await throughput(jobs, (count) => enqueueInFlight(peer, count));
    await peer.close();
    return metrics;
  },
};

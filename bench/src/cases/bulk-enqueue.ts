import type { BenchCase } from '../bench-case.js';
import { times } from '../goals.js';
import { enqueueInBulk, throughput } from '../measure.js';

/** Calls of a thousand jobs each, one call after the other. */
export const bulkEnqueue: BenchCase = {
  name: 'bulk-enqueue',
  title: 'enqueueMany, 1,000 a call',
  peers: ['holdfast', 'bare', 'sqlite'],
  jobs: 200_000,
  goals: [{ title: 'bulk of 1,000 / SQLite', atLeast: 3, figure: times('jobsPerSecond', 'sqlite') }],
  async run({ open, jobs }) {
    const peer = await open();
    const metrics = await throughput(jobs, (count) => enqueueInBulk(peer, count));
    await peer.close();
    return metrics;
  },
};

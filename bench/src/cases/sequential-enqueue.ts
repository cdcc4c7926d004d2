import type { BenchCase } from '../bench-case.js';
import { times } from '../goals.js';
import { enqueueInTurn, throughput, waits } from '../measure.js';

/** One producer that waits for each job to be durable before it enqueues the next. */
export const sequentialEnqueue: BenchCase = {
  name: 'sequential-enqueue',
  title: 'enqueue, one at a time',
  peers: ['holdfast', 'bare', 'sqlite'],
  jobs: 5000,
  goals: [{ title: 'a lone enqueue: p50 / bare', atMost: 1.3, figure: times('p50Ms', 'bare') }],
  async run({ open, jobs }) {
    const peer = await open();
    const latenciesMs: number[] = [];
    const metrics = await throughput(jobs, async (count) => {
      latenciesMs.length = 0;
      await enqueueInTurn(peer, count, latenciesMs);
    });
    await peer.close();
    return { ...metrics, ...waits(latenciesMs) };
  },
};

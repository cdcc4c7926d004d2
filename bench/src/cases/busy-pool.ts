import { pbkdf2 } from 'node:crypto';
import type { BenchCase } from '../bench-case.js';
import { own } from '../goals.js';
import { enqueueInTurn, waits } from '../measure.js';

const HASHES = 4;
const ROUNDS = 100_000;

/** The application keeps the thread pool of Node full of hashing: the log must not wait in its queue. */
export const busyPool: BenchCase = {
  name: 'busy-pool',
  title: 'enqueue, one at a time, beside four pbkdf2',
  peers: ['holdfast'],
  jobs: 3000,
  goals: [
    { title: 'beside four pbkdf2: p99, ms', atMost: 5, figure: own('p99Ms') },
    { title: 'beside four pbkdf2: p50 / p50 without', atMost: 2, figure: own('p50Ms', 'otherP50Ms') },
  ],
  async run({ open, jobs }) {
    const peer = await open();
    await enqueueInTurn(peer, jobs / 3);
    const without = waits(await enqueueInTurn(peer, jobs));
    let stopped = false;
    const hash = () => {
      if (!stopped) pbkdf2('password', 'salt', ROUNDS, 64, 'sha512', hash);
    };
    for (let number = 0; number < HASHES; number++) hash();
    await enqueueInTurn(peer, jobs / 10);
    const beside = waits(await enqueueInTurn(peer, jobs));
    stopped = true;
    await peer.close();
    return { ...beside, otherP50Ms: without.p50Ms, otherP99Ms: without.p99Ms };
  },
};

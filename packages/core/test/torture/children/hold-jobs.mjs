// A worker holds jobs for as long as it is told to, and answers orders that come in as lines, each with a line of JSON:
//   block <ms>        the event loop does nothing for so long
//   expire <ms>       leases a job for so long, leaves it, and says after how many milliseconds the lease was ended
//   delay <ms> [poll] enqueues a job with a delay and says how long after its enqueue it was claimed, by one waiting claim or by many short ones
//   ready             enqueues a job and says how long it took to claim it
//   wall              what this thread and the engine's thread hold for the time
//   finish            lets all held jobs end and says how often each was started
import { createInterface } from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';
import { openLogStore, startWorker } from '@holdfast/core';
import { monotonicMs } from './journal.mjs';

const [directory = '', held = '', lease = ''] = process.argv.slice(2);
const HELD_JOBS = Number(held);
const LEASE_MS = Number(lease);
const WAIT_MS_MAX = 120_000;

const store = await openLogStore({ directory });
/** @type {Map<string, number>} */
const starts = new Map();
/** @type {() => void} */
let letGo = () => {};
const finished = new Promise((/** @type {(value: void) => void} */ resolve) => {
  letGo = resolve;
});

const worker = startWorker({
  store,
  queue: 'held',
  concurrency: Math.max(1, HELD_JOBS),
  leaseMs: LEASE_MS,
  handler: async (job) => {
    starts.set(job.id, (starts.get(job.id) ?? 0) + 1);
    if (starts.size === HELD_JOBS) process.stdout.write('holding\n');
    await finished;
  },
});
if (HELD_JOBS === 0) process.stdout.write('holding\n');
else await store.enqueue(Array.from({ length: HELD_JOBS }, () => ({ queue: 'held', name: 'hold', payload: '{}' })));

/** @param {string} queue */
function claimOne(queue, leaseMs = 60_000, waitMs = 0) {
  return store.claim({ queues: [queue], limit: 1, leaseMs, waitMs, worker: 'w' });
}

/** @type {Record<string, (ms: number, how: string | undefined) => unknown>} */
const orders = {
  block(ms) {
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
  },
  async expire(ms) {
    await store.enqueue([{ queue: 'left', name: 'leave', payload: '{}' }]);
    const askedMs = monotonicMs();
    const [job] = await claimOne('left', ms);
    const leasedMs = monotonicMs();
    for (;;) {
      // Nobody claims: the engine has to notice by itself.
      const { state } = (await store.job(job?.id ?? '')) ?? {};
      if (state !== 'leased') return { state, afterMs: monotonicMs() - leasedMs, atMostMs: monotonicMs() - askedMs };
      await pause(5);
    }
  },
  async delay(ms, how) {
    const queue = `delayed ${monotonicMs()}`;
    const claim = how === 'poll' ? undefined : claimOne(queue, 60_000, WAIT_MS_MAX);
    const askedMs = monotonicMs();
    const askedWallMs = Date.now();
    await store.enqueue([{ queue, name: 'start', payload: '{}', delayMs: ms }]);
    let [job] = claim === undefined ? [] : await claim;
    while (claim === undefined && job === undefined && monotonicMs() - askedMs < WAIT_MS_MAX) {
      await pause(10);
      [job] = await claimOne(queue);
    }
    return { started: job !== undefined, afterMs: monotonicMs() - askedMs, afterWallMs: Date.now() - askedWallMs };
  },
  async ready() {
    const askedMs = monotonicMs();
    const claim = claimOne('now', 60_000, WAIT_MS_MAX);
    await store.enqueue([{ queue: 'now', name: 'start', payload: '{}' }]);
    const [job] = await claim;
    return { started: job !== undefined, afterMs: monotonicMs() - askedMs };
  },
  async wall() {
    const [job] = await store.enqueue([{ queue: 'never', name: 'look', payload: '{}' }]);
    return { here: Date.now(), engine: (await store.job(job?.id ?? ''))?.enqueuedAtMs };
  },
  async finish() {
    letGo();
    await worker.close();
    const { rows } = await store.browse({ queue: 'held' }, { limit: 200 });
    const expiries = (await store.leaseExpiries()).filter(({ queue }) => queue === 'held').length;
    const { applicationStallMsMax } = await store.metrics();
    await store.close();
    return {
      startsMax: Math.max(...starts.values()),
      completed: rows.filter(({ state, attempts }) => state === 'completed' && attempts === 1).length,
      expiries,
      applicationStallMsMax,
    };
  },
};

for await (const line of createInterface({ input: process.stdin })) {
  const [order = '', ms, how] = line.split(' ');
  // Orders are carried out beside each other.
  void Promise.resolve(orders[order]?.(Number(ms), how)).then((answer) => {
    process.stdout.write(`${JSON.stringify({ order, ...(typeof answer === 'object' ? answer : {}) })}\n`);
    if (order === 'finish') process.exit();
  });
}

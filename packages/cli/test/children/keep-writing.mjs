// Enqueues, claims and acks without a pause over small segments, and says a line for each round, until it is killed.
import { openLogStore } from '@holdfast/core';

const store = await openLogStore({ directory: process.argv[2] ?? '', segmentBytes: 64 * 1024 });
const payload = JSON.stringify({ text: 'x'.repeat(300) });
for (let round = 0; ; round++) {
  const calls = Array.from({ length: 20 }, () => store.enqueue([{ queue: 'mail', name: 'send', payload }]));
  await Promise.all(calls);
  const leased = await store.claim({ queues: ['mail'], limit: 10, leaseMs: 60_000, worker: 'w' });
  await store.ack(leased.map(({ id, token }) => ({ id, token })));
  console.log(round);
}

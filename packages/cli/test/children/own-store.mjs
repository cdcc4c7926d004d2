// Owns a store: enqueues, leases one job, says "ready"; then enqueues one more for each line it is given, until it is ended.
import { createInterface } from 'node:readline';
import { openLogStore } from '@holdfast/core';

const store = await openLogStore({ directory: process.argv[2] ?? '', diskReserveBytes: 0 });
const job = { queue: 'mail', name: 'send', payload: '{"to":"ada"}' };
await store.enqueue([job, job, job]);
await store.claim({ queues: ['mail'], limit: 1, leaseMs: 3_600_000, worker: 'owner' });
console.log('ready');
for await (const _ of createInterface({ input: process.stdin })) {
  await store.enqueue([job]);
  console.log('enqueued');
}
await store.close();

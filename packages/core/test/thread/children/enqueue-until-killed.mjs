// Leases one job without ever settling it, then enqueues a hundred at a time, and says the id of each answered job.
import { openLogStore } from '@holdfast/core';

const store = await openLogStore({ directory: process.argv[2] ?? '' });
const [poison] = await store.enqueue([{ queue: 'poison', name: 'eat', payload: '' }]);
await store.claim({ queues: ['poison'], limit: 1, leaseMs: 60_000, worker: 'victim' });
console.log(poison?.id);

for (;;) {
  const calls = Array.from({ length: 100 }, () =>
    store.enqueue([{ queue: 'mail', name: 'send', payload: '{"to":1}' }]),
  );
  for (const [job] of await Promise.all(calls)) process.stdout.write(`${job?.id}\n`);
}

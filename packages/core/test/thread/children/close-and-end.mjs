// Uses a store, with a claim waiting, and closes it. Nothing here ends the process.
import { openLogStore } from '@holdfast/core';

const store = await openLogStore({ directory: process.argv[2] ?? '' });
const claim = store.claim({ queues: ['none'], limit: 1, leaseMs: 1000, waitMs: 3_600_000, worker: 'w' });
await store.enqueue([{ queue: 'mail', name: 'send', payload: '' }]);
await store.close();
console.log(`closed, ${(await claim).length} claimed`);

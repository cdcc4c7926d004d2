// Loses the engine's thread while nothing is under way, and only then enqueues: nothing but that call keeps this process alive.
import { Worker } from 'node:worker_threads';
import { openLogStore } from '@holdfast/core';

/** @type {Worker[]} */
const threads = [];
const unref = Worker.prototype.unref;
Worker.prototype.unref = function () {
  threads.push(this);
  unref.call(this);
};

const store = await openLogStore({ directory: process.argv[2] ?? '' });
store.onHealthChange(async (health) => {
  if (health.status !== 'failed') return;
  const [job] = await store.enqueue([{ queue: 'mail', name: 'send', payload: '' }]);
  console.log(`enqueued ${job?.state}, ${store.health().status}`);
});
await threads[0]?.terminate();

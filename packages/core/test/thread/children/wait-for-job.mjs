// Only its waiting claim can keep this process alive until a job is there: the timer does not.
import { openLogStore } from '@holdfast/core';

const store = await openLogStore({ directory: process.argv[2] ?? '' });
setTimeout(() => void store.enqueue([{ queue: 'mail', name: 'send', payload: '' }]), 500).unref();
const jobs = await store.claim({ queues: ['mail'], limit: 1, leaseMs: 1000, waitMs: 60_000, worker: 'w' });
console.log(`claimed ${jobs.length}`);

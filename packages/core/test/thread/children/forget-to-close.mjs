// Enqueues and does nothing more. Nothing here ends the process or closes the store.
import { openLogStore } from '@holdfast/core';

const store = await openLogStore({ directory: process.argv[2] ?? '' });
const [job] = await store.enqueue([{ queue: 'mail', name: 'send', payload: '' }]);
console.log(job?.id);

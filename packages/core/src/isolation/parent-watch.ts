import { workerData } from 'node:worker_threads';

/** The entry of a thread that ends its process when the process that started it is gone. */
const EVERY_MS = 1000;
/** Told, not asked for: it may be gone before this thread runs. */
const parent: number = workerData;

setInterval(() => {
  if (process.ppid !== parent) process.kill(process.pid, 'SIGKILL');
}, EVERY_MS);

/** The entry of a thread that ends its process when the process that started it is gone. */
const EVERY_MS = 1000;
const parent = process.ppid;

setInterval(() => {
  if (process.ppid !== parent) process.kill(process.pid, 'SIGKILL');
}, EVERY_MS);

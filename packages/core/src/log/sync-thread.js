// The whole program of the thread that syncs. It is JavaScript because a thread starts from a file that Node can run as it is,
// from the sources (tests) and from dist alike.
import { fdatasyncSync } from 'node:fs';
import { parentPort, workerData } from 'node:worker_threads';

/**
 * request[0] is the file descriptor to sync, or -1. File descriptors belong to the process, so they work here too. [1] counts the syncs
 * that ended well; [2] is how many microseconds the last of them took.
 */
const request = new Int32Array(workerData);

parentPort?.postMessage('ready');
for (;;) {
  Atomics.wait(request, 0, -1);
  const descriptor = Atomics.exchange(request, 0, -1);
  if (descriptor === -1) continue;
  try {
    const startedMs = performance.now();
    fdatasyncSync(descriptor);
    Atomics.store(request, 2, Math.round((performance.now() - startedMs) * 1000));
    Atomics.add(request, 1, 1);
    parentPort?.postMessage('done');
  } catch (error) {
    // An Error loses its code on the way, so what matters is sent by name.
    parentPort?.postMessage(error instanceof Error ? { message: error.message, code: Reflect.get(error, 'code') } : {});
  }
}

import { parentPort, workerData } from 'node:worker_threads';
import { openLogStore } from '@holdfast/core';

try {
  const store = await openLogStore({ directory: workerData });
  parentPort?.once('message', async () => {
    await store.close();
    parentPort?.close();
  });
  parentPort?.postMessage('open');
} catch (error) {
  parentPort?.once('message', () => parentPort?.close());
  parentPort?.postMessage(error instanceof Error && 'code' in error ? error.code : String(error));
}

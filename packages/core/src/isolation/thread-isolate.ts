import { Worker } from 'node:worker_threads';
import type { Isolate, IsolateEnd, StartIsolate } from './isolate.js';
import { type IsolateStart, isFromIsolate, type ToIsolate } from './isolate-messages.js';
import { toThrown } from './thrown.js';

const ENTRY = new URL('./isolate-entry.js', import.meta.url);

/** Isolates that are threads of this process. */
export function threadIsolates(module: string): StartIsolate {
  return (hear) => {
    const workerData: IsolateStart = { module };
    const worker = new Worker(ENTRY, { workerData, name: 'holdfast-handlers' });
    worker.unref();
    worker.on('message', (message: unknown) => {
      if (isFromIsolate(message)) hear(message);
    });
    worker.on('messageerror', (error) => hear({ kind: 'unreadable', run: 0, why: error.message }));
    const isolate: Isolate = {
      gone: goneOf(worker),
      post: (message: ToIsolate) => worker.postMessage(message),
      kill: () => void worker.terminate(),
    };
    return isolate;
  };
}

function goneOf(worker: Worker): Promise<IsolateEnd> {
  return new Promise((resolve) => {
    let uncaught: IsolateEnd = {};
    worker.once('error', (error) => {
      uncaught = { uncaught: toThrown(error) };
    });
    worker.once('exit', (exitCode) => resolve({ exitCode, ...uncaught }));
  });
}

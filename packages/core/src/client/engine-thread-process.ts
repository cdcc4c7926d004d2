import { MessageChannel, Worker } from 'node:worker_threads';
import type { EngineThreadData } from '../host/engine-thread.js';
import type { ViewThreadData } from '../host/view-thread.js';
import { ThreadPort } from '../protocol/thread-port.js';
import type { EngineProcess } from './engine-process.js';

/** Starts an engine on a thread of its own. */
export function startEngineThread(options: Omit<EngineThreadData, 'port'>): EngineProcess {
  return startThread(new URL('../host/engine-thread.js', import.meta.url), options, 'holdfast-engine');
}

/** Reads a log on a thread of its own, to show it. */
export function startViewThread(options: Omit<ViewThreadData, 'port'>): EngineProcess {
  return startThread(new URL('../host/view-thread.js', import.meta.url), options, 'holdfast-view');
}

function startThread(entry: URL, options: object, name: string): EngineProcess {
  const { port1, port2 } = new MessageChannel();
  const worker = new Worker(entry, {
    workerData: { ...options, port: port2 },
    transferList: [port2],
    name,
    // What the application preloads (a tracer, a transpiler) is for its own code: here it would only cost time and surprises.
    execArgv: [],
  });
  // The thread itself keeps this process alive while a call is under way; then its answers are heard too.
  const port = new ThreadPort(port1, false);
  return {
    port,
    gone: goneOf(worker),
    kill: () => void worker.terminate(),
    hold: (alive) => (alive ? worker.ref() : worker.unref()),
  };
}

function goneOf(worker: Worker): Promise<string> {
  return new Promise((resolve) => {
    let how: string | undefined;
    worker.once('error', (error) => {
      how = `The engine's thread ended with an error: ${error instanceof Error ? error.message : String(error)}.`;
    });
    // After `exit` the thread's files are closed and its lock is free.
    worker.once('exit', (code) => resolve(how ?? `The engine's thread ended unexpectedly (code ${code}).`));
  });
}

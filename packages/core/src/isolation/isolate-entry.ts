import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import { serveHandlers } from './handler-server.js';
import type { FromIsolate, IsolateStart, ToIsolate } from './isolate-messages.js';
import { toThrown } from './thrown.js';

/** The entry of a thread or a process that runs handlers for another one. */
if (isMainThread) startInProcess();
else startInThread();

function startInThread(): void {
  const port = parentPort!;
  const { module }: IsolateStart = workerData;
  const server = serveHandlers(module, (message) => port.postMessage(message));
  port.on('message', (message: ToIsolate) => {
    if (message.kind === 'end') void server.end().then(() => process.exit());
    else server.hear(message);
  });
  // Whoever sent what cannot be read waits for an answer: the end of this thread is one.
  port.on('messageerror', (error) => {
    throw error;
  });
}

function startInProcess(): void {
  const [, , module = '', parent] = process.argv;
  const server = serveHandlers(module, tell);
  // Nothing may block this thread before the other one runs.
  const watched = watchParent(Number(parent));
  process.on('message', (message) => {
    const heard = message as unknown as ToIsolate; // what the other end of this channel sends
    void watched.then(() => {
      if (heard.kind === 'end') void server.end().then(() => process.exit());
      else server.hear(heard);
    });
  });
  // Nobody may work on for a worker that is gone: its jobs run elsewhere already.
  process.on('disconnect', () => process.exit());
  process.on('uncaughtExceptionMonitor', (error) => tell({ kind: 'uncaught', run: 0, thrown: toThrown(error) }));
}

function tell(message: FromIsolate): void {
  process.send?.(message);
}

/** A handler that blocks this thread hears no `disconnect`: then another thread notices that the parent is gone. Resolves once that runs. */
function watchParent(workerData: number): Promise<void> {
  const watcher = new Worker(new URL('./parent-watch.js', import.meta.url), { workerData, execArgv: [] });
  watcher.unref();
  return new Promise((resolve) => watcher.once('online', resolve));
}

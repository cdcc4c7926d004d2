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
  const server = serveHandlers(module, (message) => {
    listen();
    port.postMessage(message);
  });
  const hear = (message: ToIsolate) => {
    if (message.kind === 'end') void server.end().then(() => process.exit());
    else server.hear(message);
  };
  // Whoever sent what cannot be read waits for an answer: the end of this thread is one.
  const refuse = (error: Error) => {
    throw error;
  };
  // Anew with all that is told, because a handler may have taken off every listener there is. A port has the same one once only.
  const listen = () => {
    port.on('message', hear);
    port.on('messageerror', refuse);
  };
  listen();
}

function startInProcess(): void {
  const [, , module = '', parent] = process.argv;
  const server = serveHandlers(module, (message) => {
    listen();
    tell(message);
  });
  // Nothing may block this thread before the other one runs.
  const watched = watchParent(Number(parent));
  const hear = (message: unknown) => {
    const heard = message as ToIsolate; // what the other end of this channel sends
    void watched.then(() => {
      if (heard.kind === 'end') void server.end().then(() => process.exit());
      else server.hear(heard);
    });
  };
  // As above. Node's own listeners, which keep a process that listens alive, may be off too.
  const listen = () => {
    if (process.listeners('message').includes(hear)) return;
    process.on('message', hear);
    // Nobody may work on for a worker that is gone: its jobs run elsewhere already.
    process.on('disconnect', end);
    process.on('uncaughtExceptionMonitor', tellUncaught);
    process.channel?.ref();
  };
  listen();
}

function end(): void {
  process.exit();
}

function tellUncaught(error: unknown): void {
  tell({ kind: 'uncaught', run: 0, thrown: toThrown(error) });
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

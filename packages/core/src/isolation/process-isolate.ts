import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { Isolate, IsolateEnd, StartIsolate } from './isolate.js';
import type { FromIsolate, Thrown, ToIsolate } from './isolate-messages.js';

const ENTRY = fileURLToPath(new URL('./isolate-entry.js', import.meta.url));

/** Isolates that are processes of their own. What they print goes where this process prints. */
export function processIsolates(module: string): StartIsolate {
  return (hear) => {
    const child = fork(ENTRY, [module, String(process.pid)], {
      // What a debugger listens on is taken by this process.
      execArgv: process.execArgv.filter((argument) => !argument.startsWith('--inspect')),
      serialization: 'advanced',
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    });
    child.unref();
    child.channel?.unref();
    let uncaught: Thrown | undefined;
    child.on('message', (message) => {
      const heard = message as unknown as FromIsolate; // what the other end of this channel sends
      if (heard.kind === 'uncaught') uncaught = heard.thrown;
      hear(heard);
    });
    const isolate: Isolate = {
      gone: goneOf(child).then((end) => (uncaught === undefined ? end : { ...end, uncaught })),
      // One that is gone hears nothing, which its end says.
      post: (message: ToIsolate) => void child.send(message, () => {}),
      kill: () => void child.kill('SIGKILL'),
    };
    return isolate;
  };
}

/** Its exit and the end of its messages come in no order. */
async function goneOf(child: ChildProcess): Promise<IsolateEnd> {
  const silent = new Promise<void>((resolve) => child.once('disconnect', resolve));
  const end = await new Promise<IsolateEnd>((resolve) => {
    child.once('error', () => resolve({ exitCode: -1 }));
    child.once('exit', (exitCode, signal) => {
      resolve(signal === null ? { exitCode: exitCode ?? -1 } : { signal });
    });
  });
  if (child.connected) await silent;
  return end;
}

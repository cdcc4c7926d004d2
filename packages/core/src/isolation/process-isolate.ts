import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { Isolate, IsolateEnd, StartIsolate } from './isolate.js';
import { isFromIsolate, type Thrown, type ToIsolate } from './isolate-messages.js';
import { toThrown } from './thrown.js';

const ENTRY = fileURLToPath(new URL('./isolate-entry.js', import.meta.url));

/** Isolates that are processes of their own. What they print goes where this process prints. */
export function processIsolates(module: string): StartIsolate {
  return (hear) => {
    const child = fork(ENTRY, [module, String(process.pid)], {
      execArgv: inheritedArguments(process.execArgv),
      serialization: 'advanced',
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    });
    child.unref();
    child.channel?.unref();
    let uncaught: Thrown | undefined;
    child.on('message', (message: unknown) => {
      if (!isFromIsolate(message)) return;
      if (message.kind === 'uncaught') uncaught = message.thrown;
      hear(message);
    });
    const isolate: Isolate = {
      gone: goneOf(child).then((end) => (uncaught === undefined ? end : { ...end, uncaught })),
      // One that is gone hears nothing, which its end says.
      post: (message: ToIsolate) => {
        if (child.connected) child.send(message, () => {});
      },
      kill: () => void child.kill('SIGKILL'),
    };
    return isolate;
  };
}

/** Those of Node that a child may have too. */
export function inheritedArguments(execArgv: readonly string[]): string[] {
  return execArgv.filter((argument, index) => {
    if (NOT_INHERITED.test(argument)) return false;
    return !EVALUATION.test(argument) && !EVALUATION.test(execArgv[index - 1] ?? '');
  });
}

/** What a debugger listens on is taken by this process; and what kind of code would be evaluated. */
const NOT_INHERITED = /^--(inspect|input-type=|eval=|print=)/;
/** Before the code that a child would run again instead of its own entry, to start children itself. */
const EVALUATION = /^(-e|--eval|-p|--print|-pe|--input-type)$/;

/** Its exit and the end of its messages come in no order. */
async function goneOf(child: ChildProcess): Promise<IsolateEnd> {
  const silent = new Promise<void>((resolve) => child.once('disconnect', resolve));
  const end = await new Promise<IsolateEnd>((resolve) => {
    // Mostly one that the system did not start: then there is no exit, and this says why.
    child.once('error', (error) => resolve({ exitCode: -1, uncaught: toThrown(error) }));
    child.once('exit', (exitCode, signal) => {
      resolve(signal === null ? { exitCode: exitCode ?? -1 } : { signal });
    });
  });
  if (child.connected) await silent;
  return end;
}

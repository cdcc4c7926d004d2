import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';

const PATHS = {
  'keep-writing': './children/keep-writing.mjs',
  'own-store': './children/own-store.mjs',
  holdfast: '../dist/bin.js',
};

/** A real process of a program of these tests, or of the built command. Ends with the test. */
export function start(program: keyof typeof PATHS, words: readonly string[], env: Record<string, string> = {}) {
  const path = fileURLToPath(new URL(PATHS[program], import.meta.url));
  const child = spawn(process.execPath, [path, ...words], { stdio: 'pipe', env: { ...process.env, ...env } });
  onTestFinished(() => void child.kill('SIGKILL'));
  return child;
}

/** Resolves when the process has said so many lines. */
export async function linesOf(child: ChildProcess, count: number): Promise<void> {
  if (child.stdout === null) throw new Error('It has no output.');
  let lines = 0;
  for await (const _ of createInterface({ input: child.stdout })) if (++lines === count) return;
  throw new Error(`The process ended after ${lines} lines.`);
}

/** Everything it says until its end. */
export async function textOf(stream: NodeJS.ReadableStream): Promise<string> {
  let text = '';
  for await (const piece of stream) text += String(piece);
  return text;
}

export async function codeOf(child: ChildProcess): Promise<number | null> {
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
  return child.exitCode;
}

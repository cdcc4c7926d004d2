import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { describe, expect, it, onTestFinished } from 'vitest';
import { Child } from '../thread/child-process.js';
import { scratchDirectory } from '../thread/scratch-directory.js';

/** Whether a process is there. */
function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

describe.each(['thread', 'process'])('a worker with handlers in a %s', { timeout: 60_000 }, (isolation) => {
  it('leaves nothing that holds its process when it is closed', async () => {
    const child = new Child('isolated-work.mjs', scratchDirectory(), isolation, 'double');
    expect(await child.ended).toBe(0);
    expect(child.lines).toEqual(['result 42', 'closed']);
  });
});

it('a process of handlers ends with the process that started it, also while it is blocked', {
  timeout: 60_000,
}, async () => {
  const child = new Child('isolated-work.mjs', scratchDirectory(), 'process', 'tellAndSpin');
  await child.until(1);
  const pid = Number(child.lines[0]?.replace('spins in ', ''));
  expect(isAlive(pid)).toBe(true);
  child.kill();
  await child.ended;
  while (isAlive(pid)) await new Promise((resolve) => setTimeout(resolve, 50));
});

const PROGRAM = `
import { openLogStore, Queue, startWorker } from '@holdfast/core';

const [, directory, file] = process.argv;
const store = await openLogStore({ directory });
const queue = new Queue('work', { store });
const worker = startWorker({ store, queue: 'work', isolation: 'process', file });
const { id } = await queue.enqueue('double', 21, { maxAttempts: 1 });
console.log('result', await queue.waitFor(id));
await worker.close();
await store.close();
`;

it('a process of handlers does not run anew what Node was given as the text of a program', {
  timeout: 60_000,
}, async () => {
  const handlers = fileURLToPath(new URL('handlers/all.mjs', import.meta.url));
  const words = ['--input-type=module', '--eval', PROGRAM, scratchDirectory(), handlers];
  // Its imports are looked for from there.
  const cwd = fileURLToPath(new URL('../..', import.meta.url));
  const child = spawn(process.execPath, words, { cwd, stdio: ['ignore', 'pipe', 'inherit'] });
  onTestFinished(() => void child.kill('SIGKILL'));
  let said = '';
  for await (const piece of child.stdout) said += String(piece);
  expect(said).toBe('result 42\n');
});

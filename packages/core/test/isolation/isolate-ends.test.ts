import { describe, expect, it } from 'vitest';
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

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { StoreLockedError } from '@holdfast/contract';
import { afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { NodeFileSystem, SegmentedLog } from '../../src/log/index.js';
import { systemClock } from '../../src/system-clock.js';
import { systemRandom } from '../../src/system-random.js';

let directory: string;
const children: ChildProcess[] = [];

beforeAll(() => {
  const built = fileURLToPath(new URL('../../dist/log/index.js', import.meta.url));
  if (!existsSync(built)) throw new Error('These tests start processes that run the built package: build it first.');
});

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'holdfast-lock-'));
});

afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
  rmSync(directory, { recursive: true });
});

/** A process that has the log open. */
async function startHolder(mode: 'hold' | 'end'): Promise<ChildProcess> {
  const script = fileURLToPath(new URL('./lock-holder.mjs', import.meta.url));
  const child = spawn(process.execPath, [script, directory, mode], { stdio: ['ignore', 'pipe', 'inherit'] });
  children.push(child);
  await once(child.stdout!, 'data');
  return child;
}

function open(): SegmentedLog {
  const { now, monotonicMs } = systemClock;
  const options = { directory, fileSystem: new NodeFileSystem(), random: systemRandom, now, monotonicMs };
  return SegmentedLog.open({ ...options, segmentBytes: 1 << 20 }, { record: () => {}, nextId: () => 1 });
}

it('refuses a second process, naming the first, until that one is killed', async () => {
  const holder = await startHolder('hold');
  for (let round = 0; round < 3; round++) {
    const refused = expectLocked();
    expect(refused.holderPid).toBe(holder.pid);
    expect(refused.message).toContain(`process ${holder.pid}`);
  }
  holder.kill('SIGKILL');
  await once(holder, 'exit');
  const log = open();
  expect(log.recovery).toMatchObject({ kind: 'unclean', records: 1 });
  log.close();
});

it('refuses a second owner inside one process', () => {
  const log = open();
  expect(expectLocked().holderPid).toBe(process.pid);
  log.close();
  open().close();
});

it('does not keep a process alive that has nothing else to do, open log or not', async () => {
  const child = await startHolder('end');
  if (child.exitCode === null) await once(child, 'exit');
  expect(child.exitCode).toBe(0);
});

function expectLocked(): StoreLockedError {
  try {
    open().close();
  } catch (error) {
    if (error instanceof StoreLockedError) return error;
    throw error;
  }
  throw new Error('the log was opened twice');
}

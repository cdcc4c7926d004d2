import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { inspectLock, keepOwnersOut } from './lock-inspection.js';
import { NodeFileSystem } from './node-file-system.js';

const fileSystem = new NodeFileSystem();
const onLinux = process.platform === 'linux';
let directory: string;
let path: string;

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'holdfast-inspection-'));
  path = join(directory, 'lock');
});

afterEach(() => rmSync(directory, { recursive: true }));

function take() {
  const lock = fileSystem.lock(path);
  if ('holderPid' in lock) throw new Error('Somebody holds the lock.');
  return lock;
}

it('sees who holds the lock, and makes no file where there is none', () => {
  expect(inspectLock(directory)).toEqual({ held: 'no', holderPid: undefined });
  expect(existsSync(path)).toBe(false);
  const lock = take();
  expect(inspectLock(directory)).toEqual({ held: onLinux ? 'yes' : 'unknown', holderPid: process.pid });
  lock.unlock();
  expect(inspectLock(directory)).toEqual({ held: onLinux ? 'no' : 'unknown', holderPid: process.pid });
});

it('leaves the lock to others while it looks', () => {
  take().unlock();
  inspectLock(directory);
  take().unlock();
});

it('keeps owners out until it is let go, lets other readers in, and writes nothing', () => {
  take().unlock();
  const before = { text: readFileSync(path, 'utf8'), changedMs: statSync(path).mtimeMs };
  const one = keepOwnersOut(directory);
  const other = keepOwnersOut(directory);
  expect(fileSystem.lock(path)).toEqual({ holderPid: process.pid });
  expect({ text: readFileSync(path, 'utf8'), changedMs: statSync(path).mtimeMs }).toEqual(before);
  for (const kept of [one, other]) if (kept !== undefined && 'unlock' in kept) kept.unlock();
  take().unlock();
});

it('says who has the directory open, and that nobody ever had', () => {
  expect(keepOwnersOut(directory)).toBeUndefined();
  const lock = take();
  expect(keepOwnersOut(directory)).toEqual({ holderPid: process.pid });
  lock.unlock();
});

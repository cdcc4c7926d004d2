import { cpSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, unlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { StoreFailedError } from '@holdfast/contract';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { NodeFileSystem, SegmentedLog } from '../../src/log/index.js';
import { systemRandom } from '../../src/system-random.js';

const KIND = 1;
const FIRST = '0000000001.segment';

let root: string;
let directory: string;
let nowMs: number;

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'holdfast-presence-'));
  directory = join(root, 'store');
  nowMs = 1000;
});

afterEach(() => rmSync(root, { recursive: true }));

function open(): SegmentedLog {
  const options = { directory, fileSystem: new NodeFileSystem(), random: systemRandom, segmentBytes: 1 << 20 };
  const times = { now: () => nowMs, monotonicMs: () => nowMs };
  return SegmentedLog.open({ ...options, ...times }, { record: () => {}, nextId: () => 1 });
}

function commit(log: SegmentedLog): number {
  log.reserve(KIND, 8);
  log.write(1);
  return log.syncNow();
}

function failureOf(act: () => unknown): StoreFailedError {
  try {
    act();
  } catch (error) {
    if (error instanceof StoreFailedError) return error;
    throw error;
  }
  throw new Error('it went on');
}

/** What somebody else does to the directory of an open store, and the name that then leads elsewhere. */
const DEEDS: readonly (readonly [string, () => void, string])[] = [
  ['its lock file was removed', () => unlinkSync(join(directory, 'lock')), 'lock'],
  ['its lock file was replaced', () => replaceByCopy('lock'), 'lock'],
  ['its last segment was removed', () => unlinkSync(join(directory, FIRST)), FIRST],
  ['its last segment was renamed', () => renameSync(join(directory, FIRST), join(directory, 'kept')), FIRST],
  ['its last segment was replaced by a copy', () => replaceByCopy(FIRST), FIRST],
  ['its directory was removed', () => rmSync(directory, { recursive: true }), 'lock'],
  ['its directory was renamed', () => renameSync(directory, join(root, 'other')), 'lock'],
  ['its directory was replaced by a copy', () => replaceDirectory(), 'lock'],
];

function replaceByCopy(name: string): void {
  const path = join(directory, name);
  const bytes = readFileSync(path);
  renameSync(path, join(root, 'former'));
  writeFileSync(path, bytes);
}

function replaceDirectory(): void {
  renameSync(directory, join(root, 'former'));
  mkdirSync(directory);
  cpSync(join(root, 'former'), directory, { recursive: true });
}

describe.each(DEEDS)('a log when %s', (_, deed, name) => {
  it.each([
    ['write', (log: SegmentedLog) => commit(log)],
    ['sync', (log: SegmentedLog) => log.sync(() => {})],
    ['close', (log: SegmentedLog) => log.close()],
  ])('is poisoned at the next %s and says what is gone', (_call, act) => {
    const log = open();
    commit(log);
    deed();
    nowMs += 100;
    const failure = failureOf(() => act(log));
    expect(failure.outcome).toBe('unknown');
    expect(failure.message).toContain(`${join(directory, name)} is not the file any more`);
    expect(failureOf(() => commit(log))).toBe(failure);
    log.abandon();
  });
});

it('goes on where nothing was touched', () => {
  const log = open();
  commit(log);
  writeFileSync(join(directory, 'stranger'), 'hello');
  nowMs += 100;
  expect(commit(log)).toBe(2);
  log.close();
  expect(open().recovery.kind).toBe('clean');
});

it('looks at most ten times a second', () => {
  const log = open();
  commit(log);
  unlinkSync(join(directory, FIRST));
  nowMs += 99;
  expect(commit(log)).toBe(2);
  nowMs += 1;
  expect(failureOf(() => commit(log)).message).toContain('would be lost');
  log.abandon();
});

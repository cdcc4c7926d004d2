import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { LogBackup } from './log-backup.js';
import { NodeFileSystem } from './node-file-system.js';
import { segmentName } from './segment-name.js';

const NEXT = {
  compatibleFeatures: 0,
  readOnlyFeatures: 0,
  incompatibleFeatures: 0,
  storeId: new Uint8Array(16),
  segmentNumber: 3,
  epoch: 1,
  firstSeq: 3,
  idFloor: 1,
  tokenFloor: 2 ** 32,
  minSegment: 1,
  createdAtMs: 0,
  previousSegment: 2,
  previousEnd: 300,
  previousLastSeq: 2,
  previousCrc: 0,
  rankFloor: 0,
};

/** Backups of two segments, all into the same directory, each as a process of its own would make it. */
function backups() {
  const directory = mkdtempSync(join(tmpdir(), 'holdfast-backup-'));
  onTestFinished(() => rmSync(directory, { recursive: true }));
  const target = join(directory, 'target');
  mkdirSync(target);
  const segments = [1, 2].map((number) => {
    const file = join(directory, segmentName(number));
    writeFileSync(file, String(number).repeat(300));
    return { file, bytes: 300, mayLink: false };
  });
  const random = { fraction: () => 0, bytes: (count: number) => new Uint8Array(count) };
  const begin = () => {
    const fileSystem = new NodeFileSystem();
    return new LogBackup({ segments, next: NEXT }, { source: fileSystem, fileSystem, target, random });
  };
  return { target, begin };
}

it('leaves alone what another one makes in the same place, which is whole in the end', () => {
  const { target, begin } = backups();
  const [one, other] = [begin(), begin()];
  expect(one.step()).toBe(true);
  expect(() => other.step()).toThrow(expect.objectContaining({ code: 'EEXIST' }));
  other.undo();
  while (one.step());
  expect(readdirSync(target)).toEqual([1, 2, 3].map(segmentName));
  expect(readFileSync(join(target, segmentName(1)), 'utf8')).toBe('1'.repeat(300));
});

import { cpSync, existsSync, mkdirSync, readdirSync, renameSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { openLogStore } from '@holdfast/core';
import { NodeFileSystem } from '@holdfast/core/log';
import { describe, expect, it } from 'vitest';
import { movePlace, targetState } from '../src/move/log-target.js';
import { LogTarget, type TargetPlace } from '../src/repair/target.js';
import { scratchDirectory, segmentsOf } from './rig.js';

const ORIGIN = {
  storeId: new Uint8Array(16).fill(7),
  segmentNumber: 2,
  epoch: 1,
  firstSeq: 1,
  idFloor: 1,
  rankFloorMs: 0,
};
const CLOCK = { now: () => 1_790_000_000_000, monotonicMs: () => 0 };

/** Fails at the last of so many renames that would put something in its place. */
class FailingDisk extends NodeFileSystem {
  readonly #directory: string;
  #left: number;

  constructor(directory: string, renames: number) {
    super();
    this.#directory = directory;
    this.#left = renames;
  }

  override rename(from: string, to: string): void {
    if (dirname(to) === this.#directory && --this.#left === 0) throw Object.assign(new Error('EIO'), { code: 'EIO' });
    super.rename(from, to);
  }
}

function begin(place: TargetPlace, disk?: NodeFileSystem): LogTarget {
  return LogTarget.begin(place, ORIGIN, CLOCK, disk);
}

function place(made: LogTarget): void {
  made.log.close();
  made.place('move-report.json', '{}');
}

describe('the place of a moved log', () => {
  it("is nobody else's until the log is there, also when the log is closed already", async () => {
    const directory = join(scratchDirectory(), 'to');
    const made = begin(movePlace(directory));
    expect(() => begin(movePlace(directory))).toThrow('is in use by process');
    made.log.close();
    expect(() => begin(movePlace(directory))).toThrow('is in use by process');
    await expect(openLogStore({ directory })).rejects.toMatchObject({ code: 'STORE_LOCKED' });
    expect(segmentsOf(made.unfinished)).toHaveLength(1);
    made.place('move-report.json', '{}');
    expect(readdirSync(directory).sort()).toEqual(['0000000002.segment', 'lock', 'move-report.json']);
    expect(() => begin(movePlace(directory))).toThrow('is not empty');
    await (await openLogStore({ directory })).close();
  });

  it('is looked at again when the lock is taken', () => {
    const directory = join(scratchDirectory(), 'to');
    let asked = 0;
    const { requireFree, ...rest } = movePlace(directory);
    const late = {
      ...rest,
      requireFree: () => {
        requireFree();
        // Another run does all of its work between the two looks.
        if (++asked === 1) place(begin(movePlace(directory)));
      },
    };
    expect(() => begin(late)).toThrow('is not empty');
    expect(targetState(directory)).toBe('log');
  });

  it.for([1, 2] as const)('is as empty as before when the disk fails at rename %s', (renames) => {
    const directory = join(scratchDirectory(), 'to');
    const made = begin(movePlace(directory), new FailingDisk(directory, renames));
    expect(() => place(made)).toThrow('EIO');
    made.discard();
    expect(readdirSync(directory)).toEqual([]);
    place(begin(movePlace(directory)));
    expect(targetState(directory)).toBe('log');
  });

  it('is taken over from a move that was cut off, and from nobody else', async () => {
    const directory = join(scratchDirectory(), 'to');
    const unfinished = join(directory, 'unfinished-move');
    const other = join(scratchDirectory(), 'other');
    place(begin(movePlace(directory)));
    cpSync(directory, other, { recursive: true });
    mkdirSync(unfinished);
    for (const segment of segmentsOf(directory)) renameSync(segment, join(unfinished, basename(segment)));
    expect(targetState(directory)).toBe('leftover');
    cpSync(join(other, '0000000002.segment'), join(directory, '0000000003.segment'));
    expect(targetState(directory)).toBe('leftover');
    writeFileSync(join(directory, 'note.txt'), 'mine');
    expect(targetState(directory)).toBe('other');
  });

  it('is not taken from an application that has begun a store beside the rest of a move', async () => {
    const directory = join(scratchDirectory(), 'to');
    const unfinished = join(directory, 'unfinished-move');
    place(begin(movePlace(directory)));
    mkdirSync(unfinished);
    for (const segment of segmentsOf(directory)) renameSync(segment, join(unfinished, basename(segment)));
    await (await openLogStore({ directory })).close();
    expect(segmentsOf(directory)).toHaveLength(1);
    expect(() => begin(movePlace(directory))).toThrow('is not empty');
    expect(segmentsOf(directory)).toHaveLength(1);
  });

  it('is not taken from a repair that was cut off', () => {
    const directory = join(scratchDirectory(), 'to');
    const repair = { directory, unfinished: 'unfinished', requireFree: () => {} };
    begin(repair).log.close();
    expect(targetState(directory)).toBe('other');
    expect(() => begin(movePlace(directory))).toThrow('is not empty');
    expect(existsSync(join(directory, 'unfinished'))).toBe(true);
  });
});

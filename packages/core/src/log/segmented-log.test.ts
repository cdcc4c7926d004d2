import {
  LogCorruptError,
  LogVersionError,
  StoreFailedError,
  StoreLockedError,
  StoreOpenError,
} from '@holdfast/contract';
import { beforeEach, expect, it } from 'vitest';
import { SeededRandom } from '../../test/sim/seeded-random.js';
import { SimDisk } from '../../test/sim/sim-disk.js';
import { SimFileSystem } from '../../test/sim/sim-file-system.js';
import { LIMITS } from '../limits.js';
import { encodeFrameHeader, FRAME_TYPE } from './frame-codec.js';
import { encodeSegmentHeader } from './segment-header.js';
import { SegmentedLog } from './segmented-log.js';

const KIND = 9;
const DIRECTORY = '/data/log';
const SEGMENT_BYTES = 1000;

let system: SimFileSystem;
let seed = 0;

beforeEach(() => {
  system = new SimFileSystem(new SimDisk(), new SeededRandom(seed++));
});

function open(found: string[] = [], nextId = 1): SegmentedLog {
  const { random } = system;
  const options = { directory: DIRECTORY, fileSystem: system, random, now: () => 5, segmentBytes: SEGMENT_BYTES };
  const text = new TextDecoder();
  return SegmentedLog.open(
    { ...options, monotonicMs: () => 1 },
    {
      record: ({ buffer, offset, bodyBytes }) => found.push(text.decode(buffer.subarray(offset, offset + bodyBytes))),
      nextId: () => nextId,
    },
  );
}

function append(log: SegmentedLog, text: string): { location: number; recordBytes: number } {
  const body = new TextEncoder().encode(text);
  const { buffer, offset, location, recordBytes } = log.reserve(KIND, body.length);
  buffer.set(body, offset);
  return { location, recordBytes };
}

function commit(log: SegmentedLog, text: string) {
  const record = append(log, text);
  log.write(1);
  log.syncNow();
  return record;
}

function textOf(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes);
}

/** The process is gone; the next one sees what it wrote. */
function killAndOpen(found: string[] = []): SegmentedLog {
  system.disk.kill();
  return open(found);
}

function file(segment: number) {
  return system.open(`${DIRECTORY}/000000000${segment}.segment`, 'write');
}

it('begins empty', () => {
  const log = open();
  expect(log.recovery).toMatchObject({ kind: 'new', segments: 0, records: 0 });
  expect([log.epoch, log.idFloor, log.writtenSeq, log.durableSeq]).toEqual([1, 1, 0, 0]);
  expect(log.storeId).toHaveLength(16);
});

it('gives back records in order, of all kinds of frames, after close and after a kill', () => {
  const log = open();
  append(log, 'one');
  append(log, 'two');
  expect([log.pendingRecords, log.write(1), log.pendingRecords]).toEqual([2, 1, 0]);
  log.syncNow();
  log.writeIdle();
  commit(log, 'three');
  log.close();

  const afterClose: string[] = [];
  const second = open(afterClose);
  expect(second.recovery).toMatchObject({ kind: 'clean', segments: 1, records: 3 });
  commit(second, 'four');
  const afterKill: string[] = [];
  expect(killAndOpen(afterKill).recovery).toMatchObject({ kind: 'unclean', segments: 2, records: 4 });
  expect([afterClose, afterKill]).toEqual([
    ['one', 'two', 'three'],
    ['one', 'two', 'three', 'four'],
  ]);
});

it('writes zeros behind small frames, ahead of what comes, and leaves none behind a SEAL or a CLOSE', () => {
  const log = open();
  const behind = (segment: number) => file(segment).size() - file(segment).dataEnd();
  commit(log, 'one');
  const size = file(1).size();
  expect(behind(1)).toBeGreaterThanOrEqual(SEGMENT_BYTES / 4);
  commit(log, 'two');
  expect(file(1).size()).toBe(size);
  while (log.activeSegment === 1) commit(log, 'more');
  // The last bytes of a SEAL are a checksum, whose own last byte may be zero.
  expect(behind(1)).toBeLessThan(4);
  log.close();
  expect(behind(2)).toBeLessThan(4);
  expect(open().recovery).toMatchObject({ kind: 'clean' });
});

it('takes zeros behind the last frame of a process that was killed for the end of the log', () => {
  const log = open();
  commit(log, 'one');
  commit(log, 'two');
  const { size, end } = { size: file(1).size(), end: log.bytes };
  expect(size).toBeGreaterThan(end);
  const found: string[] = [];
  const { recovery } = killAndOpen(found);
  expect(found).toEqual(['one', 'two']);
  expect(recovery).toMatchObject({ kind: 'unclean' });
  expect(recovery.tornTail).toBeUndefined();
});

it('refuses zeros where a commit had been durable, when a later frame proves it', () => {
  const log = open();
  commit(log, 'one');
  const from = log.bytes;
  commit(log, 'two');
  const until = log.bytes;
  commit(log, 'three');
  file(1).write(new Uint8Array(until - from), from);
  system.disk.kill();
  expect(() => open()).toThrow(expect.objectContaining({ code: 'LOG_CORRUPT', offset: from }));
});

it('cuts zeros off again where the sync after the first cut failed', () => {
  let taken = 0;
  for (let way = 0; way < 20; way++) {
    system = new SimFileSystem(new SimDisk(), new SeededRandom(way));
    const log = open();
    commit(log, 'one');
    // The room is synced, cut off, the CLOSE written: then the disk fails.
    system.plan = { atStep: system.steps + 3, fault: 'EIO' };
    expect(() => log.close()).toThrow(StoreFailedError);
    const second = killAndOpen();
    if (second.recovery.kind === 'clean') taken++;
    commit(second, 'two');
    system.disk.crash(system.random);
    const found: string[] = [];
    open(found);
    expect(found).toEqual(['one', 'two']);
  }
  expect(taken).toBeGreaterThan(3);
});

it('keeps no zeros among the bytes that it cuts off', () => {
  const log = open();
  commit(log, 'one');
  const { bytes } = log;
  file(1).write(new TextEncoder().encode('torn'), bytes);
  expect(killAndOpen().recovery.tornTail).toMatchObject({ offset: bytes, bytes: 4 });
});

it('goes on without room ahead where the disk has none', () => {
  const log = open();
  system.disk.capacityBytes = system.disk.usedBytes + 400;
  append(log, 'one');
  expect(log.write(1)).toBe(1);
  log.syncNow();
  system.disk.capacityBytes = Number.POSITIVE_INFINITY;
  const found: string[] = [];
  killAndOpen(found);
  expect(found).toEqual(['one']);
});

it('counts frames across opens and gives each open an epoch', () => {
  const log = open();
  commit(log, 'one');
  log.close();
  const second = open([], 500);
  // 1 RECORDS, 2 CLOSE, 3 SEAL.
  expect([second.epoch, second.writtenSeq, second.durableSeq, second.idFloor]).toEqual([2, 3, 3, 500]);
  expect(second.storeId).toEqual(log.storeId);
  commit(second, 'two');
  // 4 RECORDS, 5 SEAL. An id floor never goes back.
  const third = killAndOpen();
  expect([third.epoch, third.writtenSeq, third.idFloor]).toEqual([3, 5, 500]);
});

it('tells where a record lies before it is written, and reads it there for ever', () => {
  const log = open();
  const records = ['pending', 'in the same frame', 'x'.repeat(3000)].map((text) => ({ text, ...append(log, text) }));
  const check = (at: SegmentedLog) => {
    for (const { text, location, recordBytes } of records) {
      expect(textOf(at.read(location, recordBytes))).toBe(text);
      const { buffer, offset, bodyBytes, kind } = at.readRecord(location);
      expect([kind, textOf(buffer.subarray(offset, offset + bodyBytes))]).toEqual([KIND, text]);
    }
  };
  check(log);
  log.write(1);
  check(log);
  log.syncNow();
  commit(log, 'now in the next segment');
  check(log);
  check(killAndOpen());
});

it('refuses to read a record that changed, or that was never there', () => {
  const log = open();
  const { location, recordBytes } = commit(log, 'payload');
  expect(() => log.read(location, recordBytes - 1)).toThrow(LogCorruptError);
  expect(() => log.read(location + 8, recordBytes)).toThrow(LogCorruptError);
  expect(() => log.readRecord(location + 10_000)).toThrow(LogCorruptError);
  file(1).write(new Uint8Array([1]), (location % 2 ** 32) + 13);
  expect(() => log.read(location, recordBytes)).toThrow(/does not match its checksum/);
  expect(() => log.readRecord(location)).toThrow(/does not match its checksum/);
});

it('is durable up to the frame before which a sync began', () => {
  const log = open();
  append(log, 'one');
  log.write(1);
  const answers: unknown[] = [];
  log.sync((error, durableSeq) => answers.push(error, durableSeq));
  append(log, 'two');
  expect([log.write(1), log.durableSeq, log.syncing]).toEqual([2, 0, true]);
  expect(() => log.sync(() => {})).toThrow(/one sync/);
  system.finishSyncs();
  expect([answers, log.durableSeq, log.writtenSeq, log.syncing]).toEqual([[undefined, 1], 1, 2, false]);
});

it('starts the next segment when one is full, no sync is under way and nothing is pending', () => {
  const log = open();
  append(log, 'x'.repeat(SEGMENT_BYTES));
  log.write(77);
  append(log, 'pending');
  log.sync(() => {});
  expect(log.segments()).toHaveLength(1);
  log.write(78);
  log.syncNow();
  expect(log.segments()).toHaveLength(1);
  system.finishSyncs();
  log.sync(() => {});
  expect(log.segments()).toMatchObject([
    { number: 1, state: 'sealed', firstSeq: '1', lastSeq: '3' },
    { number: 2, state: 'active', bytes: 256, firstSeq: '4', lastSeq: '3' },
  ]);
  expect(log.bytes).toBe(log.segments().reduce((sum, { bytes }) => sum + bytes, 0));
  system.finishSyncs();
  const found: string[] = [];
  expect(killAndOpen(found).idFloor).toBe(78);
  expect(found).toEqual(['x'.repeat(SEGMENT_BYTES), 'pending']);
});

it('writes an idle frame once', () => {
  const log = open();
  commit(log, 'one');
  expect([log.writeIdle(), log.writeIdle()]).toEqual([2, 2]);
  commit(log, 'two');
  expect(log.writeIdle()).toBe(4);
  append(log, 'pending');
  expect(() => log.writeIdle()).not.toThrow();
  log.write(1);
  append(log, 'pending');
  expect(() => log.writeIdle()).toThrow(/pending records/);
});

it('holds a frame as large as the limit, and none that is larger', () => {
  const log = open();
  expect(() => log.reserve(KIND, LIMITS.frameBytesMax)).toThrow(/fit into one frame/);
  const { location, recordBytes } = log.reserve(KIND, LIMITS.frameBytesMax - 64 - 12);
  log.write(1);
  expect(log.read(location, recordBytes)).toHaveLength(LIMITS.frameBytesMax - 76);
  expect(killAndOpen().recovery.records).toBe(1);
});

it.each(['EIO', 'ENOSPC'] as const)(
  'is poisoned by a write that fails with %s, and whole after the next open',
  (fault) => {
    const log = open();
    const { location, recordBytes } = commit(log, 'durable');
    append(log, 'lost');
    system.plan = { atStep: system.steps, fault };
    expect(() => log.write(1)).toThrow(StoreFailedError);
    expectPoisoned(log);
    expect(textOf(log.read(location, recordBytes))).toBe('durable');
    log.abandon();
    const found: string[] = [];
    open(found);
    expect(found[0]).toBe('durable');
  },
);

it.each(['here', 'in the background'])('is poisoned by a sync that fails %s', (where) => {
  const log = open();
  commit(log, 'durable');
  append(log, 'unknown');
  log.write(1);
  system.plan = { atStep: system.steps, fault: 'EIO' };
  const answers: unknown[] = [];
  if (where === 'here') expect(() => log.syncNow()).toThrow(/EIO/);
  else log.sync((error, durableSeq) => answers.push(error?.code, durableSeq));
  system.finishSyncs();
  expect(answers).toEqual(where === 'here' ? [] : ['STORE_FAILED', 1]);
  expectPoisoned(log);
  log.abandon();
  log.abandon();
  const found: string[] = [];
  open(found);
  expect(found[0]).toBe('durable');
});

function expectPoisoned(log: SegmentedLog): void {
  const calls = [() => log.write(1), () => log.syncNow(), () => log.sync(() => {}), () => log.reserve(KIND, 1)];
  for (const call of [...calls, () => log.writeIdle()]) expect(call).toThrow(StoreFailedError);
}

it('gives the lock back when it is closed, also when closing fails', () => {
  const log = open();
  expect(() => open()).toThrow(StoreLockedError);
  system.plan = { atStep: system.steps, fault: 'EIO' };
  expect(() => log.close()).toThrow(StoreFailedError);
  open().close();
  open();
});

it('gives the lock back when an open fails', () => {
  const fail = () => {
    throw new Error('the caller does not like this record');
  };
  commit(open(), 'one');
  system.disk.kill();
  const options = { directory: DIRECTORY, fileSystem: system, random: system.random, segmentBytes: SEGMENT_BYTES };
  const all = { ...options, now: () => 5, monotonicMs: () => 1 };
  expect(() => SegmentedLog.open(all, { record: fail, nextId: () => 1 })).toThrow(StoreOpenError);
  expect(open().recovery.records).toBe(1);
});

it('cuts a torn tail, keeps its bytes and says so', () => {
  const log = open();
  commit(log, 'kept');
  const { bytes } = log.segments()[0]!;
  file(1).write(new Uint8Array([1, 2, 3]), bytes);
  const found: string[] = [];
  const { tornTail } = killAndOpen(found).recovery;
  expect(tornTail).toMatchObject({ file: `${DIRECTORY}/0000000001.segment`, offset: bytes, bytes: 3 });
  const kept = new Uint8Array(10);
  expect(system.open(tornTail!.keptAs, 'read').read(kept, 0)).toBe(3);
  expect([...kept.subarray(0, 3)]).toEqual([1, 2, 3]);
  expect(found).toEqual(['kept']);
  expect(killAndOpen().recovery.tornTail).toBeUndefined();
});

it('takes a CLOSE for torn that was lost while an open wrote it again with the SEAL', () => {
  const log = open();
  commit(log, 'kept');
  log.close();
  const { bytes } = log.segments()[0]!;
  open();
  file(1).write(new Uint8Array(64), bytes - 64);
  const found: string[] = [];
  expect(killAndOpen(found).recovery.tornTail).toMatchObject({ offset: bytes - 64, bytes: 128 });
  expect(found).toEqual(['kept']);
});

it('refuses a log of which a segment is missing, at the front, in the middle or at the end', () => {
  const log = open();
  for (let index = 0; index < 3; index++) commit(log, 'x'.repeat(SEGMENT_BYTES));
  commit(log, 'last');
  log.close();
  expect(log.segments()).toHaveLength(4);
  for (const { file: path } of log.segments()) {
    const away = `${path}.away`;
    system.rename(path, away);
    expect(() => open(), path).toThrow(/missing/);
    system.rename(away, path);
  }
  open();
});

it('refuses a segment of another store, of a newer version, or that is a folder', () => {
  const log = open();
  commit(log, 'one');
  log.close();
  const stranger = new SimFileSystem(system.disk, new SeededRandom(999));
  const path = `${DIRECTORY}/0000000002.segment`;
  stranger.createDirectory(path);
  expect(() => open()).toThrow(StoreOpenError);
  system.disk.directories.delete(path);
  const newer = encodeSegmentHeader({ ...headerLike(log), segmentNumber: 2 });
  system.open(path, 'create').write(newer, 0);
  expect(() => open()).toThrow(/another store/);
  const readOnly = { ...headerLike(log), storeId: log.storeId, segmentNumber: 2, readOnlyFeatures: 1 };
  file(2).write(encodeSegmentHeader(readOnly), 0);
  expect(() => open()).toThrow(LogVersionError);
});

function headerLike(log: SegmentedLog) {
  const features = { compatibleFeatures: 0, readOnlyFeatures: 0, incompatibleFeatures: 0 };
  const floors = { idFloor: 1, tokenFloor: 1, minSegment: 1, createdAtMs: 1, rankFloor: 1 };
  const previous = { previousSegment: 1, previousEnd: 1, previousLastSeq: 1, previousCrc: 1 };
  return { ...features, ...floors, ...previous, storeId: new Uint8Array(16), salt: 1n, epoch: log.epoch, firstSeq: 1 };
}

it('removes what was being made, and segments that are retired', () => {
  const log = open();
  commit(log, 'one');
  log.close();
  system.open(`${DIRECTORY}/0000000002.segment.tmp`, 'create').write(new Uint8Array(10), 0);
  system.open(`${DIRECTORY}/notes.txt`, 'create');
  open();
  const names = system.list(DIRECTORY).map(({ name }) => name);
  expect(names.toSorted()).toEqual(['0000000001.segment', '0000000002.segment', 'notes.txt']);
});

it('opens also where a file that is being removed goes in the moment when it is seen', () => {
  commit(open(), 'one');
  system.disk.kill();
  const goesByItself = new SimFileSystem(system.disk, system.random);
  goesByItself.open(`${DIRECTORY}/0000000001.segment.gone.tmp`, 'create');
  const remove = goesByItself.remove.bind(goesByItself);
  goesByItself.remove = (path) => {
    remove(path);
    remove(path);
  };
  system = goesByItself;
  const found: string[] = [];
  open(found);
  expect(found).toEqual(['one']);
});

it('takes a retired segment out of the log at once, and leaves the file to another thread', () => {
  const log = open();
  for (const text of ['gone', 'first']) commit(log, text.padEnd(SEGMENT_BYTES, '.'));
  log.sealed.letGo();
  log.rotateSoon();
  log.syncNow();
  const later: string[] = [];
  system.removeInBackground = (path) => later.push(path);
  log.removeRetired();
  expect(system.list(DIRECTORY).map(({ name }) => name)).not.toContain('0000000001.segment');
  expect(later).toEqual([`${DIRECTORY}/0000000001.segment.gone.tmp`]);
  expect(log.sealed.retired).toBe(0);
  // As a process leaves it that ends before the file is removed.
  system.disk.kill();
  system = new SimFileSystem(system.disk, system.random);
  const found: string[] = [];
  open(found);
  expect(found.map((text) => text.replaceAll('.', ''))).toEqual(['first']);
  expect(system.list(DIRECTORY).some(({ name }) => name.endsWith('.tmp'))).toBe(false);
});

/** Three segments, of which the first is let go, and how far the header that retires it has come when the process ends. */
function endedWhileRetiring(step: number): boolean {
  const log = open();
  for (const text of ['gone', 'first', 'second']) commit(log, text.padEnd(SEGMENT_BYTES, '.'));
  log.sealed.letGo();
  log.rotateSoon();
  system.plan = { atStep: system.steps + step, fault: 'end' };
  try {
    log.syncNow();
  } catch {
    system.disk.kill();
  }
  return system.ended;
}

it('removes retired segments only when the header that retires them is durable', () => {
  for (let chance = 0; chance < 3; chance++) {
    for (let step = 0; ; step++) {
      let opening = 0;
      let opened = false;
      for (; !opened; opening++) {
        system = new SimFileSystem(new SimDisk(), new SeededRandom(chance));
        if (!endedWhileRetiring(step)) break;
        system = new SimFileSystem(system.disk, new SeededRandom(chance), { atStep: opening, fault: 'end' });
        try {
          open();
          opened = true;
        } catch {
          // Nothing of what the recovery did need be on the disk, and nothing of what it read.
        }
        system.disk.crash(new SeededRandom(100 * chance + opening));
        system = new SimFileSystem(system.disk, new SeededRandom(chance));
        const found: string[] = [];
        open(found);
        expect(found.slice(-2).map((text) => text.replaceAll('.', ''))).toEqual(['first', 'second']);
      }
      if (opening === 0) break;
    }
  }
});

it('ignores and removes segments below the lowest that still counts', () => {
  const retired = { ...headerLike(open()), segmentNumber: 1 };
  system.disk.kill();
  file(1).write(encodeSegmentHeader(retired), 0);
  file(1).write(new Uint8Array(500).fill(9), 256);
  const live = {
    ...retired,
    segmentNumber: 2,
    minSegment: 2,
    epoch: 8,
    firstSeq: 70,
    previousLastSeq: 69,
    idFloor: 44,
  };
  system.open(`${DIRECTORY}/0000000002.segment`, 'create').write(encodeSegmentHeader(live), 0);
  const log = open();
  expect([log.epoch, log.idFloor, log.writtenSeq]).toEqual([9, 44, 69]);
  commit(log, 'goes on');
  expect(system.list(DIRECTORY).map(({ name }) => name)).toEqual(['0000000002.segment']);
  const found: string[] = [];
  expect(killAndOpen(found).segments()).toMatchObject([{ number: 2, firstSeq: '70' }, { number: 3 }]);
  expect(found).toEqual(['goes on']);
});

it('opens again what was open before, and nothing else', () => {
  const { storeId } = open();
  const reopen = (isFormer: (id: Uint8Array) => boolean, directory = DIRECTORY) =>
    SegmentedLog.open(
      {
        directory,
        fileSystem: system,
        random: system.random,
        now: () => 5,
        monotonicMs: () => 1,
        segmentBytes: 1,
        isFormer,
      },
      { record: () => {}, nextId: () => 1 },
    );
  system.disk.kill();
  expect(() => reopen(() => false)).toThrow(/it holds another store/);
  system.createDirectory('/data/empty');
  expect(() => reopen(() => true, '/data/empty')).toThrow(/it is empty/);
  expect(() => reopen(() => true, '/data/gone')).toThrow(StoreOpenError);
  expect(system.disk.directories.has('/data/gone')).toBe(false);
  expect(reopen((id) => Buffer.compare(id, storeId) === 0).storeId).toEqual(storeId);
});

it('takes no payload for a frame, whatever it holds', () => {
  const log = open();
  commit(log, 'one');
  const header = new Uint8Array(256);
  file(1).read(header, 0);
  // A frame of this very file that says that all is durable, at a place where frames may begin, in the payload of one that is torn.
  const proof = new Uint8Array(64);
  const salt = new DataView(header.buffer).getBigUint64(48, true);
  const place = { salt, seq: 99, durableUpTo: 98, offset: 4096 };
  const nothing = { type: FRAME_TYPE.idle, recordsBytes: 0, recordCount: 0, recordsCrc: 0 };
  encodeFrameHeader(proof, new DataView(proof.buffer), 0, { ...place, ...nothing });
  const { buffer, offset, bodyBytes, location } = log.reserve(KIND, 300);
  const at = offset + 8 - (((location % 2 ** 32) + offset - 64) % 8);
  for (let copy = at; copy + 64 <= offset + bodyBytes; copy += 64 + 4) buffer.set(proof, copy);
  log.write(1);
  file(1).write(new Uint8Array([255]), (location % 2 ** 32) + 12);
  const found: string[] = [];
  expect(killAndOpen(found).recovery.tornTail).toBeDefined();
  expect(found).toEqual(['one']);
});

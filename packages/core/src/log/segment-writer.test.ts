import { expect, it } from 'vitest';
import { SeededRandom } from '../../test/sim/seeded-random.js';
import { SimDisk } from '../../test/sim/sim-disk.js';
import { SimFileSystem } from '../../test/sim/sim-file-system.js';
import type { LogFile } from './file-system.js';
import type { SegmentHeader } from './segment-header.js';
import { SegmentWriter } from './segment-writer.js';

const MIB = 1024 * 1024;
const frame = (bytes: number) => new Uint8Array(bytes).fill(7);

function makeWriter(segmentBytes: number, disk: Partial<LogFile> = {}) {
  const system = new SimFileSystem(new SimDisk(), new SeededRandom(1));
  system.createDirectory('/log');
  const file = system.open('/log/one', 'create');
  const made: number[] = [];
  const counting = {
    write: (bytes: Uint8Array, position: number) => file.write(bytes, position),
    truncate: (bytes: number) => file.truncate(bytes),
    syncData: () => file.syncData(),
    makeRoom(bytes: number, position: number) {
      made.push(bytes);
      return file.makeRoom(bytes, position);
    },
    ...disk,
  };
  return { writer: new SegmentWriter(counting as LogFile, {} as SegmentHeader, segmentBytes), file, made };
}

it('makes more room each time that small frames have used it up, to the end of a page', () => {
  const { writer, file, made } = makeWriter(64 * MIB);
  for (let frames = 0; frames < 5000; frames++) writer.append(frame(200));
  expect(made.length).toBeLessThan(12);
  expect(Math.max(...made)).toBeLessThanOrEqual(256 * 1024 + 4096);
  expect(file.size() % 4096).toBe(0);
  expect(file.size() - writer.end).toBeLessThanOrEqual(256 * 1024 + 4096);
});

it('makes none behind large frames, and begins with little after one', () => {
  const { writer, made } = makeWriter(64 * MIB);
  writer.append(frame(40_000));
  expect(made).toEqual([]);
  for (let frames = 0; frames < 200; frames++) writer.append(frame(200));
  writer.append(frame(400_000));
  made.length = 0;
  writer.append(frame(200));
  expect(made).toHaveLength(1);
  expect(made[0]).toBeLessThan(13_000);
});

it('makes none where a segment may have none', () => {
  const { writer, file } = makeWriter(0);
  writer.append(frame(200));
  expect(file.size()).toBe(writer.end);
});

it('asks a disk that has no room once, and cuts off what that may have left', () => {
  let asked = 0;
  const { writer, file } = makeWriter(MIB, {
    makeRoom(bytes, position) {
      asked++;
      file.write(new Uint8Array(bytes / 2), position);
      return 0;
    },
  });
  for (let frames = 0; frames < 3; frames++) writer.append(frame(300));
  expect(file.size()).toBeGreaterThan(writer.end);
  writer.appendLast(frame(64));
  expect(asked).toBe(1);
  expect(file.size()).toBe(writer.end);
  expect(file.dataEnd()).toBe(writer.end);
});

it('leaves nothing behind the last frame', () => {
  const { writer, file } = makeWriter(MIB);
  writer.append(frame(200));
  expect(file.size()).toBeGreaterThan(writer.end);
  writer.appendLast(frame(64));
  expect(file.size()).toBe(writer.end);
});

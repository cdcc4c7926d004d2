import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { crc32c, examineLog, FRAME_TYPE, NodeFileSystem, SegmentedLog } from '../../src/log/index.js';
import { SeededRandom } from '../sim/seeded-random.js';

const GOLDEN = fileURLToPath(new URL('../golden/v1', import.meta.url));
/** Frames of make-golden.mjs by the number of their records, before and behind the orderly close. */
const FRAMES = [1, 5, 6, 2, 7, 3, 4];

const SUMS = [
  ['0000000001.segment', '72894921'],
  ['0000000002.segment', '1247ddff'],
  ['0000000003.segment', 'a7832fc8'],
  ['0000000004.segment', '5729f1e6'],
];

let directory: string;

beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), 'holdfast-golden-'));
  cpSync(GOLDEN, directory, { recursive: true });
});

afterAll(() => rmSync(directory, { recursive: true }));

function expectedRecords() {
  return FRAMES.flatMap((count) =>
    Array.from({ length: count }, (_, index) => ({ kind: index + 1, flags: index + 1 === count ? 1 : 0 })),
  );
}

it('still has the bytes that version 1 wrote', () => {
  const sums = readdirSync(GOLDEN).map((name) => [name, crc32c(readFileSync(join(GOLDEN, name))).toString(16)]);
  expect(sums).toEqual(SUMS);
});

it('reads each frame of version 1', () => {
  const frames: string[] = [];
  const names = Object.entries(FRAME_TYPE);
  const found = examineLog(new NodeFileSystem(), directory, {
    frame: (file, { type, seq, durableUpTo, recordCount }) => {
      const name = names.find(([, value]) => value === type)?.[0];
      frames.push(`${file.slice(-9, -8)}: ${seq} ${name} ${recordCount} durable ${durableUpTo}`);
    },
  });
  expect(frames).toEqual([
    '1: 1 records 1 durable 0',
    '1: 2 records 5 durable 1',
    '1: 3 records 6 durable 2',
    '1: 4 seal 0 durable 2',
    '2: 5 records 2 durable 4',
    '2: 6 records 7 durable 5',
    '2: 7 seal 0 durable 5',
    '3: 8 idle 0 durable 7',
    '3: 9 close 0 durable 8',
    '3: 10 seal 0 durable 8',
    '4: 11 records 3 durable 10',
    '4: 12 records 4 durable 11',
  ]);
  expect(found).toMatchObject({ clean: false, records: 28, retired: [], temporary: [], unused: undefined });
});

it('opens version 1 and gives back its records, twice', () => {
  for (const segments of [4, 5]) {
    const records: { kind: number; flags: number }[] = [];
    const log = SegmentedLog.open(
      {
        directory,
        fileSystem: new NodeFileSystem(),
        random: new SeededRandom(1),
        now: () => 1,
        monotonicMs: () => 1,
        segmentBytes: 1000,
      },
      {
        record: ({ kind, flags, buffer, offset, bodyBytes }) => {
          records.push({ kind, flags });
          expect(bodyBytes).toBe(kind * 30);
          expect(new Set(buffer.subarray(offset, offset + bodyBytes))).toEqual(new Set([kind]));
        },
        nextId: () => 1,
      },
    );
    expect(records).toEqual(expectedRecords());
    expect(log.recovery).toMatchObject({ kind: segments === 4 ? 'unclean' : 'clean', segments });
    expect(log.idFloor).toBe(107);
    log.close();
  }
});

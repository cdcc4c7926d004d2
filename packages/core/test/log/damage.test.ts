import { LogCorruptError } from '@holdfast/contract';
import { beforeAll, describe, expect, it } from 'vitest';
import { examineLog, type FrameHeader, frameBytes, SEGMENT_HEADER_BYTES, SegmentedLog } from '../../src/log/index.js';
import { SeededRandom } from '../sim/seeded-random.js';
import { SimDisk } from '../sim/sim-disk.js';
import { SimFileSystem } from '../sim/sim-file-system.js';

const DIRECTORY = '/log';
const KIND = 1;

interface FrameFacts {
  readonly header: FrameHeader;
  readonly end: number;
  readonly recordsBefore: number;
}

interface FileFacts {
  readonly name: string;
  readonly bytes: Uint8Array;
  readonly frames: FrameFacts[];
}

/** A log as its last process left it. */
interface Sample {
  readonly files: readonly FileFacts[];
  readonly records: number;
}

/** What an open must do about one damage: refuse, or cut the last segment at an offset and keep so many records. */
type Expected = 'refused' | { readonly cutAt: number | undefined; readonly records: number };

// Every bit of the first log; of the others one bit in each byte, which keeps the run short.
describe.each([
  ['cut off with commits that nothing proves', makeSample('killed'), 1],
  ['closed in order', makeSample('closed'), 9],
  ['cut off right after a rotation', makeSample('rotated'), 9],
])('a log that was %s', (name, sample, stepBits) => {
  const tail = sample.files.findLast(({ frames }) => frames.length > 0)!;

  beforeAll(() => {
    const bytes = sample.files.reduce((sum, file) => sum + file.bytes.length, 0);
    expect(sample.files.length).toBeGreaterThanOrEqual(3);
    expect(bytes).toBeGreaterThan(6000);
    expect(open(sample, {})).toEqual({ cutAt: undefined, records: sample.records });
  });

  it('refuses a flipped bit, or cuts it off where nothing proves the commit', { timeout: 120_000 }, () => {
    const answers = { refused: 0, cut: 0 };
    for (const file of sample.files) {
      for (let bit = 0; bit < file.bytes.length * 8; bit += stepBits) {
        const damaged = file.bytes.slice();
        damaged[bit >> 3]! ^= 1 << (bit & 7);
        const expected = file === tail ? afterFlip(tail, bit >> 3) : 'refused';
        const found = open(sample, { [file.name]: damaged });
        if (!isSame(found, expected)) expect(found, `${file.name}, bit ${bit}`).toEqual(expected);
        answers[found === 'refused' ? 'refused' : 'cut']++;
      }
    }
    console.log(`bits of a log ${name}, every ${stepBits}: ${JSON.stringify(answers)}`);
    expect(answers.refused).toBeGreaterThan(answers.cut);
    expect(answers.cut).toBeGreaterThan(0);
  });

  it('refuses each cut but one of the last segment, whose whole frames it keeps', () => {
    for (const file of sample.files) {
      for (let length = 0; length < file.bytes.length; length++) {
        const expected = file === tail ? afterCut(sample, tail, length) : 'refused';
        const found = open(sample, { [file.name]: file.bytes.slice(0, length) });
        if (!isSame(found, expected)) expect(found, `${file.name}, ${length} bytes`).toEqual(expected);
      }
    }
  });
});

/** A frame is proven by a later one that was written after its sync. */
function afterFlip(tail: FileFacts, position: number): Expected {
  if (position < SEGMENT_HEADER_BYTES) return 'refused';
  const index = tail.frames.findIndex(({ end }) => position < end);
  const { header, recordsBefore } = tail.frames[index]!;
  const isProven = tail.frames.slice(index + 1).some((later) => later.header.durableUpTo >= header.seq);
  return isProven ? 'refused' : { cutAt: header.offset, records: recordsBefore };
}

function afterCut(sample: Sample, tail: FileFacts, length: number): Expected {
  if (length < SEGMENT_HEADER_BYTES) return 'refused';
  // With a successor that is not used yet, a segment without frames has never been the last but one.
  const whole = tail.frames.findLast(({ end }) => end <= length);
  const cut = tail.frames.find(({ header, end }) => header.offset < length && length < end);
  const records = tail.frames.find(({ end }) => end > length)?.recordsBefore ?? sample.records;
  const start = whole?.end ?? SEGMENT_HEADER_BYTES;
  return { cutAt: cut === undefined ? undefined : start, records };
}

/** Opens a copy of the sample in which some files hold other bytes. A refusal must not have changed anything. */
function open(sample: Sample, changed: Record<string, Uint8Array>): Expected {
  const system = new SimFileSystem(new SimDisk(), new SeededRandom(1));
  system.createDirectory(DIRECTORY);
  for (const { name, bytes } of sample.files) {
    system.open(`${DIRECTORY}/${name}`, 'create').write(changed[name] ?? bytes, 0);
  }
  const before = system.steps;
  let records = 0;
  try {
    const log = SegmentedLog.open(options(system), { record: () => records++, nextId: () => 1 });
    return { cutAt: log.recovery.tornTail?.offset, records };
  } catch (error) {
    if (!(error instanceof LogCorruptError)) throw error;
    if (system.steps !== before) throw new Error('something was written before a refusal');
    return 'refused';
  }
}

function isSame(one: Expected, other: Expected): boolean {
  if (one === 'refused' || other === 'refused') return one === other;
  return one.cutAt === other.cutAt && one.records === other.records;
}

function options(system: SimFileSystem) {
  return {
    directory: DIRECTORY,
    fileSystem: system,
    random: system.random,
    now: () => 1,
    monotonicMs: () => 1,
    segmentBytes: 2000,
  };
}

function makeSample(end: 'killed' | 'closed' | 'rotated'): Sample {
  const system = new SimFileSystem(new SimDisk(), new SeededRandom(7));
  const log = SegmentedLog.open(options(system), { record: () => {}, nextId: () => 1 });
  const frames = end === 'rotated' ? 22 : 24;
  for (let index = 0; index < frames; index++) {
    for (let count = 0; count <= index % 3; count++) {
      const { buffer, offset, bodyBytes } = log.reserve(KIND, 40 + ((index * 53) % 200));
      buffer.fill(index * 3 + count, offset, offset + bodyBytes);
    }
    log.write(1);
    // The last commits of a killed process: one synced but proven by nothing, one never synced.
    if (index % 4 !== 2 && index !== frames - 1) log.syncNow();
  }
  if (end === 'closed') log.close();
  if (end === 'rotated') while (log.segments().length < 4) rotateSoon(log);
  return describeSample(system);
}

function rotateSoon(log: SegmentedLog): void {
  const { buffer, offset, bodyBytes } = log.reserve(KIND, 300);
  buffer.fill(1, offset, offset + bodyBytes);
  log.write(1);
  log.syncNow();
}

function describeSample(system: SimFileSystem): Sample {
  const files = new Map<string, FileFacts>();
  const bytesOf = (file: string) =>
    system.disk.directory(DIRECTORY).current.get(file.slice(DIRECTORY.length + 1))!.current;
  let records = 0;
  system.disk.kill();
  for (const { name } of system.list(DIRECTORY).toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
    const file = `${DIRECTORY}/${name}`;
    files.set(file, { name, bytes: bytesOf(file).slice(), frames: [] });
  }
  examineLog(system, DIRECTORY, {
    frame: (file, header) => {
      const end = header.offset + frameBytes(header.recordsBytes);
      files.get(file)!.frames.push({ header, end, recordsBefore: records });
      records += header.recordCount;
    },
  });
  return { files: [...files.values()], records };
}

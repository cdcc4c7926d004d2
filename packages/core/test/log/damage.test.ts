import { LogCorruptError } from '@holdfast/contract';
import { beforeAll, describe, expect, it } from 'vitest';
import { SegmentedLog } from '../../src/log/index.js';
import { SeededRandom } from '../sim/seeded-random.js';
import { SimDisk } from '../sim/sim-disk.js';
import { SimFileSystem } from '../sim/sim-file-system.js';
import {
  afterCut,
  afterFlip,
  DIRECTORY,
  describeLog,
  diskOf,
  type Expected,
  type LogSample,
  tailOf,
} from './log-sample.js';

const KIND = 1;

// Every bit of the first log; of the others one bit in each byte, which keeps the run short.
describe.each([
  ['cut off with commits that nothing proves', makeSample('killed'), 1],
  ['closed in order', makeSample('closed'), 9],
  ['cut off right after a rotation', makeSample('rotated'), 9],
])('a log that was %s', (name, sample, stepBits) => {
  const tail = tailOf(sample);

  beforeAll(() => {
    const bytes = sample.files.reduce((sum, file) => sum + file.bytes.length, 0);
    expect(sample.files.length).toBeGreaterThanOrEqual(3);
    expect(bytes).toBeGreaterThan(6000);
    expect(open(sample, {})).toEqual({ cutAt: undefined, records: sample.records });
  });

  it('refuses a flipped bit, or cuts it off where nothing proves the commit', { timeout: 300_000 }, () => {
    const answers = { refused: 0, cut: 0 };
    for (const file of sample.files) {
      for (let bit = 0; bit < file.bytes.length * 8; bit += stepBits) {
        const damaged = file.bytes.slice();
        damaged[bit >> 3]! ^= 1 << (bit & 7);
        const expected = file === tail ? afterFlip(sample, tail, bit >> 3) : 'refused';
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

/** Opens a copy of the sample in which some files hold other bytes. A refusal must not have changed anything. */
function open(sample: LogSample, changed: Record<string, Uint8Array>): Expected {
  const system = new SimFileSystem(diskOf(sample, changed), new SeededRandom(1));
  let records = 0;
  try {
    const log = SegmentedLog.open(options(system), { record: () => records++, nextId: () => 1 });
    return { cutAt: log.recovery.tornTail?.offset, records };
  } catch (error) {
    if (!(error instanceof LogCorruptError)) throw error;
    if (system.steps > 0) throw new Error('something was written before a refusal');
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

function makeSample(end: 'killed' | 'closed' | 'rotated'): LogSample {
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
  return describeLog(system, DIRECTORY);
}

function rotateSoon(log: SegmentedLog): void {
  const { buffer, offset, bodyBytes } = log.reserve(KIND, 300);
  buffer.fill(1, offset, offset + bodyBytes);
  log.write(1);
  log.syncNow();
}

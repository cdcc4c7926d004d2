import { createHash } from 'node:crypto';
import { LogCorruptError } from '@holdfast/contract';
import { describe, expect, it } from 'vitest';
import { SEGMENT_HEADER_BYTES } from '../../src/log/index.js';
import { allJobs, compact, stage } from '../model/compaction-stage.js';
import { EngineRig } from '../model/engine-rig.js';
import {
  afterCut,
  afterFlip,
  DIRECTORY,
  describeLog,
  diskOf,
  type FileFacts,
  type LogSample,
  tailOf,
} from './log-sample.js';

/** Every so many bytes one bit is flipped, and the file cut off; another bit each time. 1 tries each byte. */
const STEP_BYTES = Number(process.env.HOLDFAST_DAMAGE_STEP_BYTES ?? 7);
/** In what is not read any more. */
const UNREAD_STEPS = 20;

/** A compacted store, as its process left it. */
function sampleOf(end: 'killed' | 'closed' | 'removing'): LogSample {
  const rig = stage();
  if (end === 'removing') endAtRemoval(rig);
  else compact(rig);
  if (end !== 'removing') {
    rig.enqueue({ payload: '"after all"' });
    rig.ack(...rig.claim({ limit: 2 }));
  }
  if (end === 'closed') rig.close();
  return describeLog(rig.files, DIRECTORY);
}

/** The process ends when the segments that it has emptied are retired, and before the first file of them is removed. */
function endAtRemoval(rig: EngineRig): void {
  rig.files.watch = (kind) => {
    if (kind === 'remove') rig.files.plan = { atStep: rig.files.steps, fault: 'end' };
  };
  try {
    compact(rig);
  } catch (error) {
    if (!rig.files.ended) throw error;
  }
  expect(rig.files.ended).toBe(true);
}

describe.each([
  ['killed', sampleOf('killed')],
  ['closed in order', sampleOf('closed')],
  ['killed before the files of retired segments were removed', sampleOf('removing')],
])('a store that was compacted and then %s', (name, sample) => {
  const tail = tailOf(sample);
  const first = sample.files.find(({ frames }) => frames.length > 0)!;
  const whole = jobsOf(sample);
  /** What is known after the frames before an offset of the tail. */
  const states = new Map<number, string>();

  const isRetired = (file: FileFacts) => file.name < first.name;

  /** Of a retired file nothing but the header is looked at. */
  function* positions(file: FileFacts): Iterable<number> {
    const isUnread = (at: number) => isRetired(file) && at >= SEGMENT_HEADER_BYTES;
    for (let at = 0; at < file.bytes.length; at += isUnread(at) ? UNREAD_STEPS * STEP_BYTES : STEP_BYTES) yield at;
  }

  function stateBefore(offset: number): string {
    let state = states.get(offset);
    if (state === undefined) {
      state = jobsOf(sample, { [tail.name]: tail.bytes.slice(0, offset) });
      states.set(offset, state);
    }
    return state;
  }

  it('has lost its first segments, and still has several', () => {
    expect(Number.parseInt(first.name, 10)).toBeGreaterThan(1);
    expect(sample.files.filter(({ frames }) => frames.length > 0).length).toBeGreaterThanOrEqual(3);
    expect(sample.files[0] !== first).toBe(name.includes('removed'));
  });

  it('with a bit flipped is refused as it is, or loses what nothing proves; nothing else changes', {
    timeout: 300_000,
  }, () => {
    const answers = { refused: 0, cut: 0, unread: 0 };
    for (const file of sample.files) {
      for (const at of positions(file)) {
        const damaged = file.bytes.slice();
        damaged[at]! ^= 1 << (at % 8);
        const found = jobsOf(sample, { [file.name]: damaged });
        const what = `${file.name}, byte ${at}`;
        const isUnread = isRetired(file) && at >= SEGMENT_HEADER_BYTES;
        const expected = file === tail ? afterFlip(sample, tail, at) : 'refused';
        let state = expected === 'refused' ? expected : stateBefore(expected.cutAt!);
        if (isUnread) state = whole;
        if (found !== state) expect(found, what).toBe(state);
        if (isUnread) answers.unread++;
        else answers[expected === 'refused' ? 'refused' : 'cut']++;
      }
    }
    console.log(`a flipped bit, every ${STEP_BYTES} bytes, in a store that was ${name}: ${JSON.stringify(answers)}`);
    expect(answers.refused).toBeGreaterThan(answers.cut);
    expect(answers.unread > 0).toBe(sample.files[0] !== first);
  });

  it('cut short is refused as it is, or has the state after whole commits of its last segment', {
    timeout: 300_000,
  }, () => {
    for (const file of sample.files) {
      for (const length of positions(file)) {
        const found = jobsOf(sample, { [file.name]: file.bytes.slice(0, length) });
        const expected = file === tail ? afterCut(sample, tail, length) : 'refused';
        const wholeFrames = tail.frames.findLast(({ end }) => end <= length)?.end;
        let state = expected === 'refused' ? expected : stateBefore(wholeFrames ?? tail.frames[0]!.header.offset);
        if (isRetired(file) && length >= SEGMENT_HEADER_BYTES) state = whole;
        if (found !== state) expect(found, `${file.name}, ${length} bytes`).toBe(state);
      }
    }
  });
});

/** A sum of all that a store knows that is opened on a copy of the sample. A refusal must not have changed anything. */
function jobsOf(sample: LogSample, changed: Record<string, Uint8Array> = {}): string {
  const disk = diskOf(sample, changed);
  const before = disk.contents();
  try {
    const rig = new EngineRig({ disk, segmentBytes: 2000, completedKept: 3, compactionStepJobs: 0 });
    return createHash('sha1')
      .update(JSON.stringify(allJobs(rig)))
      .digest('hex');
  } catch (error) {
    if (!(error instanceof LogCorruptError)) throw error;
    if (!isSame(before, disk.contents())) throw new Error('a refusal has changed something');
    return 'refused';
  }
}

function isSame(one: ReadonlyMap<string, string>, other: ReadonlyMap<string, string>): boolean {
  return one.size === other.size && [...one].every(([file, bytes]) => other.get(file) === bytes);
}

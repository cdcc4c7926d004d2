import { describe, expect, it } from 'vitest';
import { EngineRig, SHAPE } from './engine-rig.js';

const KIB = 1024;
const SEGMENT_BYTES = 256 * KIB;
/** What docs/recovery.md says of one step. */
const STEP_MS = 0.25;
const STEP_BYTES_MIN = 14 * KIB;
const STEP_BYTES_MAX = 256 * KIB;
const QUIET_STEP_BYTES = 128 * KIB;
const READ_MS = 0.05;
/** A step ends with the job at which its time is over: its own record, those of its history, and a length that was not known. */
const READS_A_JOB_MAX = 5;
const PAYLOAD = JSON.stringify('p'.repeat(200));

/** Makes many times as much dead as live bytes before compaction may begin. */
function burdened(make: (rig: EngineRig) => void): EngineRig {
  const rig = new EngineRig({ segmentBytes: SEGMENT_BYTES, compactionStepJobs: 0, completedKept: 0 });
  make(rig);
  rig.advance(1000);
  rig.options = { segmentBytes: SEGMENT_BYTES, completedKept: 0 };
  rig.reopen('closed');
  return rig;
}

/** What each step wrote until there was nothing more to do. `meanwhile` happens before each. */
function stepBytes(rig: EngineRig, meanwhile: () => void = () => {}): number[] {
  const written: number[] = [];
  let isOver = 0;
  let bytes = 0;
  rig.files.wrote = (count) => {
    bytes += count;
  };
  meanwhile();
  rig.advance(0);
  while (isOver < 100) {
    meanwhile();
    bytes = 0;
    rig.advance(1);
    written.push(bytes);
    isOver = rig.engine.storage().compaction!.running ? 0 : isOver + 1;
  }
  return written;
}

/** One in three stays, and all segments are of both kinds. */
function twoThirdsEnd(rig: EngineRig): void {
  const shapes = ['kept', 'done', 'done'].map((queue) => ({ ...SHAPE, queue }));
  for (let call = 0; call < 150; call++) {
    rig.enqueue(...Array.from({ length: 90 }, (_, index) => ({ shape: shapes[index % 3]!, payload: PAYLOAD })));
  }
  for (let jobs = rig.claim({ queues: ['done'] }); jobs.length > 0; jobs = rig.claim({ queues: ['done'] })) {
    rig.ack(...jobs);
  }
}

describe('a step of compaction', () => {
  it('writes little while others write little, however much there is to do', () => {
    const rig = burdened(twoThirdsEnd);
    const started = rig.engine.storage();
    const live = started.segments.reduce((sum, { liveBytes }) => sum + liveBytes!, 0);
    expect(started.bytes - 2 * live).toBeGreaterThan(4 * SEGMENT_BYTES);
    const written = stepBytes(rig, () => rig.enqueue({ payload: '"one"' }));
    const { movedBytes, movedJobs } = rig.engine.storage().compaction!;
    expect(movedJobs).toBeGreaterThan(1000);
    expect(Math.max(...written)).toBeLessThan(STEP_BYTES_MIN + 2 * KIB);
    expect(written.filter((bytes) => bytes > STEP_BYTES_MIN / 2).length).toBeGreaterThan(
      movedBytes / STEP_BYTES_MIN / 2,
    );
  });

  it('writes more when nobody else has written for a while', () => {
    const rig = burdened(twoThirdsEnd);
    const most = Math.max(...stepBytes(rig));
    expect(most).toBeGreaterThan(QUIET_STEP_BYTES / 2);
    expect(most).toBeLessThan(QUIET_STEP_BYTES + 2 * KIB);
  });

  it('moves as much as others write, where that is more, up to a bound', () => {
    const rig = burdened(twoThirdsEnd);
    const large = JSON.stringify('p'.repeat(100 * KIB));
    const moved: number[] = [];
    for (let ms = 0; ms < 40; ms++) {
      rig.enqueue({ payload: large, shape: { ...SHAPE, queue: 'kept' } });
      // The first step is due at once, the others a millisecond after each other.
      if (ms === 0) rig.advance(0);
      const before = rig.engine.storage().compaction!.movedBytes;
      rig.advance(1);
      moved.push(rig.engine.storage().compaction!.movedBytes - before);
    }
    expect(Math.max(...moved)).toBeGreaterThan(4 * STEP_BYTES_MIN);
    expect(Math.max(...moved)).toBeLessThan(STEP_BYTES_MAX + 2 * KIB);
  });

  it('ends after a quarter of a millisecond, though the disk reads slowly', () => {
    const rig = burdened((made) => {
      made.enqueue(...Array.from({ length: 300 }, () => ({ payload: PAYLOAD })));
      made.fail(made.claim({ limit: 300 }), 'dead', { class: 'Error', message: 'm', stack: 's'.repeat(1000) });
      twoThirdsEnd(made);
    });
    let reads = 0;
    let most = 0;
    rig.files.reading = () => {
      reads++;
      rig.clock.stall(READ_MS);
    };
    stepBytes(rig, () => {
      rig.enqueue({ payload: '"one"' });
      most = Math.max(most, reads);
      reads = 0;
    });
    expect(rig.engine.storage().compaction!.movedJobs).toBeGreaterThan(1000);
    expect(most).toBeGreaterThanOrEqual(STEP_MS / READ_MS);
    expect(most).toBeLessThanOrEqual(STEP_MS / READ_MS + READS_A_JOB_MAX);
  });

  it('writes what a segment says beside its jobs in pieces', () => {
    const QUEUES = 3000;
    const rig = burdened((made) => {
      for (let from = 0; from < QUEUES; from += 100) {
        const names = Array.from({ length: 100 }, (_, index) => `queue ${from + index}`);
        made.enqueue(...names.map((queue) => ({ shape: { ...SHAPE, queue }, payload: PAYLOAD })));
        for (const queue of names) made.pause(queue);
        for (let jobs = made.claim({ queues: names }); jobs.length > 0; jobs = made.claim({ queues: names })) {
          made.ack(...jobs);
        }
        for (const queue of names.slice(0, 50)) made.resume(queue);
        made.ack(...made.claim({ queues: names }));
      }
    });
    const first = rig.engine.storage().segments[0]!.number;
    const written = stepBytes(rig, () => rig.enqueue({ payload: '"one"' }));
    expect(rig.engine.storage().segments[0]!.number).toBeGreaterThan(first + 1);
    expect(Math.max(...written)).toBeLessThan(STEP_BYTES_MIN + 8 * KIB);
    rig.reopen('crashed');
    expect(rig.engine.queues().filter(({ paused }) => paused !== undefined)).toHaveLength(QUEUES / 2);
  });
});

import type { RetentionOptions } from '@holdfast/contract';
import { describe, expect, it } from 'vitest';
import { EngineRig, SHAPE } from '../../test/model/engine-rig.js';
import { FORGET_SLICE_JOBS } from './retained-jobs.js';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const WAYS = ['killed', 'crashed', 'closed'] as const;

function rigWith(retention: RetentionOptions): EngineRig {
  return new EngineRig({ retention });
}

function complete(rig: EngineRig, count: number): number[] {
  const ids = rig.enqueue(...Array.from({ length: count }, () => ({})));
  for (let left = count; left > 0; left -= 1000) rig.ack(...rig.claim({ limit: 1000 }));
  return ids;
}

function kill(rig: EngineRig, count: number): number[] {
  const ids = rig.enqueue(...Array.from({ length: count }, () => ({})));
  for (let left = count; left > 0; left -= 1000) rig.fail(rig.claim({ limit: 1000 }), 'dead');
  return ids;
}

function counts(rig: EngineRig) {
  return rig.engine.queues()[0]!.counts;
}

function known(rig: EngineRig, ids: readonly number[]): number[] {
  return ids.filter((id) => rig.state(id) !== undefined);
}

describe('jobs that came to their end', () => {
  it('are forgotten at their age by an idle store, which then sleeps again', () => {
    const rig = rigWith({ completed: { ageMs: 5000 }, dead: { ageMs: 2 * DAY_MS } });
    complete(rig, 2);
    kill(rig, 1);
    rig.advance(1000);
    const writtenBefore = rig.engine.metrics().totals.commits;
    expect(rig.clock.nextTimerMs).toBeGreaterThan(3900);
    rig.advance(4050);
    expect(counts(rig)).toMatchObject({ completed: 0, dead: 1 });
    rig.advance(200);
    expect(rig.engine.metrics().totals.commits).toBe(writtenBefore + 1);
    rig.advance(30_000);
    expect(rig.clock.nextTimerMs).toBeGreaterThan(0.9 * HOUR_MS);
    rig.advance(2 * DAY_MS + 60_000);
    expect(counts(rig)).toMatchObject({ completed: 0, dead: 0 });
  });

  it('are forgotten a slice at a time, with other calls in between', () => {
    const rig = rigWith({ dead: { ageMs: 1000 } });
    kill(rig, 3 * FORGET_SLICE_JOBS);
    rig.clock.stall(2000);
    const sizes: number[] = [];
    for (let turn = 0; turn < 4; turn++) {
      rig.engine.endTurn();
      sizes.push(counts(rig).dead);
    }
    expect(sizes).toEqual([2000, 1000, 0, 0]);
  });

  it('are forgotten in the order of their ends also where the clock was set back in between', () => {
    const rig = rigWith({ dead: { ageMs: 1000 } });
    rig.clock.setWall(10 * DAY_MS);
    const future = kill(rig, 2);
    rig.clock.setWall(-10 * DAY_MS);
    const later = kill(rig, 1);
    rig.advance(900);
    expect(known(rig, [...future, ...later])).toHaveLength(3);
    rig.advance(200);
    expect(known(rig, [...future, ...later])).toEqual([]);
  });

  it.each(['made room', 'was removed'])(
    'go in their time also when one that %s had ended later by the clock',
    (how) => {
      const rig = rigWith({ completed: { ageMs: 1000, count: 3 } });
      const [later] = complete(rig, 1);
      rig.clock.setWall(-500);
      const earlier = complete(rig, 2);
      rig.clock.setWall(1450);
      rig.settle();
      expect(known(rig, [later!, ...earlier])).toHaveLength(3);
      if (how === 'made room') complete(rig, 1);
      else rig.act('remove', rig.ids(later!));
      rig.settle();
      expect(known(rig, [later!, ...earlier])).toEqual([]);
    },
  );

  it.each(WAYS)('stay forgotten when the store is opened with wider bounds (%s)', (how) => {
    const rig = rigWith({ completed: { ageMs: 1000 }, cancelled: { ageMs: 1000 }, dead: { count: 1 } });
    const gone = [...complete(rig, 2), ...kill(rig, 3).slice(0, 2)];
    const [cancelled] = rig.enqueue({});
    rig.act('cancel', rig.ids(cancelled!));
    rig.advance(2000);
    const kept = complete(rig, 1);
    rig.advance(100);
    rig.options = { retention: {} };
    rig.reopen(how);
    rig.settle();
    expect(known(rig, [...gone, cancelled!])).toEqual([]);
    expect(known(rig, kept)).toEqual(kept);
    expect(counts(rig)).toMatchObject({ completed: 1, dead: 1, cancelled: 0 });
  });

  it.each(WAYS)('are as few as the options say when a store is opened with narrower bounds (%s)', (how) => {
    const rig = rigWith({});
    const dead = kill(rig, 5);
    const done = complete(rig, 5);
    rig.act('redrive', rig.ids(dead[0]!));
    rig.act('remove', rig.ids(done[0]!, dead[1]!));
    rig.advance(100);
    rig.options = { retention: { completed: { count: 2 }, dead: { count: 1 } } };
    rig.reopen(how);
    rig.settle();
    expect(known(rig, done)).toEqual(done.slice(3));
    expect(known(rig, dead)).toEqual([dead[0], dead[4]]);
    expect(rig.state(dead[0]!)).toBe('ready');
  });

  it('have bytes that are known also after they were written again', () => {
    const retention = { completed: { bytes: 20 } };
    const rig = new EngineRig({ retention, segmentBytes: 600, compactionStepJobs: 10 });
    const [first] = rig.enqueue({ payload: '1234' });
    rig.ack({ ...rig.claim()[0]!, result: '123456789' });
    for (let round = 0; round < 40; round++) {
      rig.enqueue({ shape: { ...SHAPE, queue: 'other' } });
      rig.ack(...rig.claim({ queues: ['other'] }));
      rig.advance(200);
    }
    expect(rig.engine.storage().compaction!.movedJobs).toBeGreaterThan(0);
    rig.reopen('killed');
    rig.settle();
    const [second] = rig.enqueue({ payload: '1234567' });
    rig.ack(...rig.claim());
    expect(known(rig, [first!, second!])).toEqual([first, second]);
    rig.enqueue({ payload: '1' });
    rig.ack(...rig.claim());
    rig.advance(100);
    expect(rig.state(first!)).toBeUndefined();
    expect(rig.state(second!)).toBe('completed');
  });

  it('say until when they are kept', () => {
    const rig = rigWith({ completed: { ageMs: null }, dead: { ageMs: 5000 } });
    const [done] = complete(rig, 1);
    const [dead] = kill(rig, 1);
    expect(rig.job(done!)).not.toHaveProperty('keptUntilMs');
    const { keptUntilMs, updatedAtMs } = rig.job(dead!)!;
    expect(keptUntilMs! - updatedAtMs).toBeGreaterThanOrEqual(5000);
    expect(keptUntilMs! - updatedAtMs).toBeLessThan(5050);
  });
});

describe('a log that a store with wider bounds wrote', () => {
  it('is opened with narrower ones though jobs in it were cancelled, removed and written again', () => {
    const rig = new EngineRig({ retention: {}, segmentBytes: 2000, compactionStepJobs: 5 });
    const ids = rig.enqueue(...Array.from({ length: 12 }, () => ({})));
    rig.act('cancel', rig.ids(...ids));
    for (let round = 0; round < 60; round++) {
      complete(rig, 1);
      rig.advance(50);
    }
    rig.act('remove', rig.ids(ids[0]!, ids[11]!));
    rig.advance(100);
    rig.options = { ...rig.options, retention: { cancelled: { count: 1 }, completed: { count: 1 } } };
    rig.reopen('killed');
    rig.settle();
    // The one that would have been kept was removed; those before it had made room for it.
    expect(counts(rig)).toMatchObject({ cancelled: 0, completed: 1 });
    expect(known(rig, ids)).toEqual([]);
  });
});

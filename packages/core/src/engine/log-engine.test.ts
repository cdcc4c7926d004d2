import { StoreClosedError, StoreOpenError } from '@holdfast/contract';
import { describe, expect, it } from 'vitest';
import { EngineRig, newAnswer, noteIn } from '../../test/model/engine-rig.js';
import { SegmentedLog } from '../log/segmented-log.js';

describe('time', () => {
  it('notices within a minute that the wall clock was set forward', () => {
    const rig = new EngineRig();
    const [id] = rig.enqueue({ delayMs: 3_600_000 });
    // Until nothing but the job's time is waited for.
    rig.advance(300);
    rig.clock.setWall(3_600_000);
    rig.advance(60_000);
    expect(rig.state(id!)).toBe('ready');
  });

  it('sets no timer when there is nothing to wait for', () => {
    const rig = new EngineRig();
    expect(rig.clock.timers).toBe(0);
    rig.enqueue({});
    rig.ack(...rig.claim());
    expect(rig.clock.timers).toBe(1);
    rig.advance(200);
    rig.advance(200);
    expect(rig.clock.timers).toBe(0);
    rig.enqueue({ delayMs: 10_000 });
    rig.advance(300);
    expect(rig.clock.timers).toBe(1);
    // In half a second before the second of the job: its bucket is taken apart then.
    expect(rig.clock.nextTimerMs).toBeGreaterThan(9700 - 1536);
    expect(rig.clock.nextTimerMs).toBeLessThanOrEqual(9700);
  });

  it('proves the last commit with one idle frame', () => {
    const rig = new EngineRig();
    rig.enqueue({});
    const before = Number(rig.engine.storage().durableSeq);
    rig.advance(99);
    expect(Number(rig.engine.storage().durableSeq)).toBe(before);
    rig.advance(10_000);
    expect(Number(rig.engine.storage().durableSeq)).toBe(before + 1);
  });
});

describe('a failure in the midst of a call', () => {
  it('is answered to that call as well, once, as unknown', () => {
    const rig = new EngineRig();
    const large = Array.from({ length: 9 }, () => ({ payload: 'p'.repeat(1_000_000) }));
    const before = rig.startEnqueue(...large);
    // It finds no room behind the first one, so that is written at once.
    rig.files.plan = { atStep: rig.files.steps, fault: 'EIO' };
    const calls = [before, rig.startEnqueue(...large), newAnswer<unknown>()] as const;
    rig.engine.pause({ queue: 'mail', by: { actor: 'olga' } }, noteIn(calls[2]));
    rig.settle();
    expect(calls.map(({ called, error }) => [called, error?.outcome])).toEqual([
      [1, 'unknown'],
      [1, 'unknown'],
      [1, 'rejected'],
    ]);
    expect(rig.fatal).toHaveLength(1);
  });
});

describe('identity', () => {
  it('never gives out an id or a token again, also when all was acked and forgotten', () => {
    const rig = new EngineRig({ completedKept: 0 });
    let lastId = 0;
    let lastToken = 0;
    for (const how of ['closed', 'killed', 'crashed', 'closed'] as const) {
      const ids = rig.enqueue({}, {});
      expect(ids[0]).toBeGreaterThan(lastId);
      lastId = ids[1]!;
      const jobs = rig.claim();
      expect(jobs[0]!.token).toBeGreaterThan(lastToken);
      lastToken = jobs[1]!.token;
      rig.ack(...jobs);
      rig.advance(200);
      expect(rig.engine.browse({}, { limit: 10 }).rows).toEqual([]);
      rig.reopen(how);
    }
  });
});

describe('an id floor in the log', () => {
  it('holds also where no record of those ids is left', () => {
    const rig = new EngineRig();
    rig.enqueue({});
    rig.close();
    const { clock, random, files: fileSystem } = rig;
    const times = { now: () => clock.now(), monotonicMs: () => clock.monotonicMs() };
    const options = { directory: '/store', fileSystem, random, segmentBytes: 65_536, ...times };
    SegmentedLog.open(options, { record: () => {}, nextId: () => 500 }).close();
    rig.reopen();
    expect(rig.enqueue({})).toEqual([500]);
  });
});

describe('the end', () => {
  it('closes in order: pending work is answered, later calls are refused', () => {
    const rig = new EngineRig();
    const enqueued = rig.startEnqueue({});
    const { answer: waiting } = rig.startClaim({ waitMs: 1000 });
    let closed = 0;
    rig.engine.close(() => closed++);
    const late = rig.startEnqueue({});
    rig.engine.endTurn();
    expect(closed).toBe(0);
    rig.files.finishSyncs();
    expect(closed).toBe(1);
    expect(enqueued).toMatchObject({ called: 1, error: undefined });
    expect(waiting).toMatchObject({ called: 1, value: [] });
    expect(late.error).toBeInstanceOf(StoreClosedError);
    expect(() => rig.engine.queues()).toThrow(StoreClosedError);
    expect(rig.clock.timers).toBe(0);
    rig.reopen();
    expect(rig.engine.storage().recovery.kind).toBe('clean');
    expect(rig.claim()).toHaveLength(1);
  });

  it('answers what is pending as unknown when the disk fails, and refuses what comes later', () => {
    const rig = new EngineRig();
    rig.enqueue({});
    rig.files.plan = { atStep: rig.files.steps + 1, fault: 'EIO' };
    const enqueued = rig.startEnqueue({});
    const { answer: waiting } = rig.startClaim({ queues: ['web'], waitMs: 1000 });
    rig.engine.endTurn();
    expect(enqueued.called).toBe(0);
    rig.files.finishSyncs();
    expect(enqueued.error).toMatchObject({ code: 'STORE_FAILED', outcome: 'unknown' });
    expect(waiting.error).toMatchObject({ code: 'STORE_FAILED', outcome: 'rejected' });
    expect(rig.fatal).toHaveLength(1);
    const late = newAnswer<unknown>();
    rig.engine.ack([], noteIn(late));
    rig.engine.endTurn();
    expect(late.error).toMatchObject({ code: 'STORE_FAILED', outcome: 'rejected' });
    expect(() => rig.engine.leases(1)).toThrow();
    expect(rig.clock.timers).toBe(0);
    let closed = 0;
    rig.engine.close(() => closed++);
    rig.engine.endTurn();
    expect(closed).toBe(1);
    rig.reopen();
    expect(rig.claim().length).toBeGreaterThan(0);
  });

  it('goes on when one payload cannot be read: that job is dead and says why', () => {
    const rig = new EngineRig();
    const ids = rig.enqueue({ payload: '"first"' }, { payload: '"second"' });
    rig.reopen('closed');
    rig.damage('"first"');
    expect(rig.claim().map(({ id }) => id)).toEqual([ids[1]]);
    const { rows } = rig.engine.browse({ state: 'dead' }, { limit: 10 });
    expect(rows).toMatchObject([{ id: rig.text(ids[0]!), lastError: { class: 'PayloadUnreadable' } }]);
    expect(rig.fatal).toEqual([]);
  });

  it('tries a job again whose payload the system did not give, and takes no attempt of those behind it', () => {
    const rig = new EngineRig();
    const ids = rig.enqueue({}, {}, {});
    rig.reopen('closed');
    rig.files.readFailures = 1;
    expect(rig.claim({ limit: 2 })).toEqual([]);
    const tried = rig.engine.browse({ state: 'scheduled' }, { limit: 10 }).rows;
    expect(tried.map(({ id, attempts }) => [id, attempts])).toEqual([
      [rig.text(ids[1]!), 1],
      [rig.text(ids[0]!), 1],
    ]);
    expect(rig.engine.browse({ state: 'ready' }, { limit: 10 }).rows).toMatchObject([{ attempts: 0 }]);
    rig.files.readFailures = 0;
    const error = { class: 'PayloadUnreadable', message: expect.stringContaining('EIO') };
    expect(rig.engine.job(rig.text(ids[0]!))).toMatchObject({ lastError: error });
    expect(rig.claim().map(({ id }) => id)).toEqual([ids[2]]);
    rig.advance(29_000);
    expect(rig.claim().map(({ id, attempt }) => [id, attempt])).toEqual([
      [ids[0], 2],
      [ids[1], 2],
    ]);
  });
});

describe('an open that ends former leases', () => {
  it('says that it cannot open, whichever of its steps the disk refuses', () => {
    for (let step = 0, isOver = false; !isOver; step++) {
      const rig = new EngineRig();
      rig.enqueue({});
      rig.claim();
      let failure: unknown;
      try {
        rig.reopen('killed', { atStep: step, fault: 'EIO' });
      } catch (error) {
        failure = error;
      }
      isOver = rig.files.steps <= step;
      if (isOver) expect(step).toBeGreaterThan(8);
      else expect(failure, `step ${step}`).toBeInstanceOf(StoreOpenError);
    }
  });
});

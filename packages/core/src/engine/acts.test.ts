import { type ActOutcome, LogCorruptError } from '@holdfast/contract';
import { describe, expect, it } from 'vitest';
import { EngineRig, newAnswer, noteIn, SHAPE } from '../../test/model/engine-rig.js';
import { ACT_SLICE_JOBS } from './acts.js';

describe('redrive', () => {
  it('makes dead jobs ready with their attempts at 0, records who did it, and counts what it skipped', () => {
    const rig = new EngineRig();
    const [a, b] = rig.enqueue({}, {});
    const [job] = rig.claim({ limit: 1 });
    rig.fail(job!, 'dead');
    rig.advance(1);
    const ids = [a!, b!, 999].map((id) => rig.text(id)).concat('nonsense');
    const outcome = rig.act('redrive', { ids }, { actor: 'olga', reason: 'mended' });
    expect(outcome).toEqual({ matched: 4, done: 1, skipped: { ready: 1, missing: 2 } });
    expect(rig.job(a!)).toMatchObject({
      state: 'ready',
      attempts: 0,
      attemptLog: [{ attempt: 1, outcome: 'failed' }],
      acts: [{ act: 'redrive', actor: 'olga', reason: 'mended' }],
    });
    rig.reopen();
    expect(rig.claim().map(({ id, attempt }) => [id, attempt])).toEqual([
      [b, 1],
      [a, 1],
    ]);
    expect(rig.job(a!)!.attemptLog).toHaveLength(2);
  });

  it('takes all dead jobs of a queue', () => {
    const rig = new EngineRig();
    rig.enqueue({}, {}, { shape: { ...SHAPE, queue: 'web' } });
    rig.fail(rig.claim({ queues: ['mail', 'web'] }), 'dead');
    expect(rig.act('redrive', { all: { state: 'dead', queue: 'mail' } })).toEqual({ matched: 2, done: 2, skipped: {} });
    expect(rig.engine.queues()).toMatchObject([
      { name: 'mail', counts: { ready: 2, dead: 0 } },
      { name: 'web', counts: { ready: 0, dead: 1 } },
    ]);
    expect(rig.act('redrive', { all: { state: 'dead' } })).toMatchObject({ done: 1 });
  });
});

describe('cancel', () => {
  it('keeps scheduled, ready and leased jobs from running, and records who did it', () => {
    const rig = new EngineRig();
    const [ready, scheduled, leased] = rig.enqueue({}, { delayMs: 500 }, { shape: { ...SHAPE, queue: 'web' } });
    const [job] = rig.claim({ queues: ['web'] });
    const by = { actor: 'olga', reason: 'wrong customer' };
    expect(rig.act('cancel', rig.ids(ready!, scheduled!, leased!), by)).toEqual({ matched: 3, done: 3, skipped: {} });
    const check = () => {
      expect(rig.claim({ queues: ['mail', 'web'] })).toEqual([]);
      for (const id of [ready!, scheduled!, leased!]) {
        expect(rig.job(id)).toMatchObject({
          state: 'cancelled',
          cancelCause: 'operator',
          acts: [{ act: 'cancel', ...by }],
        });
      }
      expect(rig.job(leased!)!.attemptLog).toMatchObject([{ attempt: 1, outcome: 'cancelled' }]);
      expect(rig.engine.leases(10)).toEqual([]);
    };
    check();
    rig.advance(60_000);
    check();
    rig.reopen('crashed');
    check();
    // The token settles nothing from the act on, in the next run too.
    expect(rig.extend({ ...job!, leaseMs: 1000 })).toEqual(['cancelled']);
    expect(rig.ack(job!)).toEqual(['cancelled']);
    expect(rig.fail(job!)).toEqual(['cancelled']);
    expect(rig.release(job!)).toEqual(['cancelled']);
    check();
  });

  it('is durable when it is answered', () => {
    const rig = new EngineRig();
    const [id] = rig.enqueue({});
    const answer = newAnswer<ActOutcome>();
    rig.engine.act({ kind: 'cancel' }, rig.ids(id!), { actor: 'olga' }, noteIn(answer));
    rig.engine.endTurn();
    expect(answer.called).toBe(0);
    rig.files.finishSyncs();
    expect(answer.value).toMatchObject({ done: 1 });
  });

  it('ends the attempt that was under way, and no earlier one', () => {
    const rig = new EngineRig();
    const [id] = rig.enqueue({});
    rig.fail(rig.claim(), { retryInMs: 10 });
    rig.act('cancel', rig.ids(id!));
    expect(rig.job(id!)!.attemptLog.map(({ outcome }) => outcome)).toEqual(['failed']);
  });

  it('remembers the last cancelled jobs of a queue', () => {
    const rig = new EngineRig({ completedKept: 2 });
    const ids = rig.enqueue({}, {}, {}, {});
    rig.act('cancel', { all: { state: 'ready' } });
    const states = () => ids.map((id) => rig.state(id));
    expect(states()).toEqual([undefined, undefined, 'cancelled', 'cancelled']);
    rig.reopen();
    expect(states()).toEqual([undefined, undefined, 'cancelled', 'cancelled']);
  });
});

describe('remove', () => {
  it('forgets jobs of every state but leased, for good', () => {
    const rig = new EngineRig();
    const ids = rig.enqueue({}, {}, {}, {}, {}, { delayMs: 500 });
    const [completed, dead, leased] = rig.claim({ limit: 3 });
    rig.ack(completed!);
    rig.fail(dead!, 'dead');
    rig.act('cancel', rig.ids(ids[3]!));
    expect(rig.act('remove', rig.ids(...ids))).toEqual({ matched: 6, done: 5, skipped: { leased: 1 } });
    expect(rig.ack(completed!)).toEqual(['missing']);
    const left = () => ids.filter((id) => rig.job(id) !== undefined);
    expect(left()).toEqual([leased!.id]);
    expect(rig.act('remove', rig.ids(ids[0]!))).toEqual({ matched: 1, done: 0, skipped: { missing: 1 } });
    rig.reopen('crashed');
    expect(left()).toEqual([leased!.id]);
    const { scheduled, ready, completed: done, dead: gone, cancelled } = rig.engine.queues()[0]!.counts;
    expect([scheduled, ready, done, gone, cancelled]).toEqual([1, 0, 0, 0, 0]);
  });

  it('makes room among the cancelled and the completed ones that are remembered', () => {
    const rig = new EngineRig({ completedKept: 2 });
    const [a, b, c, d, e, f] = rig.enqueue({}, {}, {}, {}, {}, {});
    rig.act('cancel', rig.ids(a!, b!));
    rig.act('remove', rig.ids(a!));
    rig.act('cancel', rig.ids(c!));
    const [first, second, third] = rig.claim();
    rig.ack(first!, second!);
    rig.act('remove', rig.ids(first!.id));
    rig.ack(third!);
    const states = () => [a, b, c, d, e, f].map((id) => rig.state(id!));
    expect(states()).toEqual([undefined, 'cancelled', 'cancelled', undefined, 'completed', 'completed']);
    rig.reopen();
    expect(states()).toEqual([undefined, 'cancelled', 'cancelled', undefined, 'completed', 'completed']);
  });
});

describe('runNow', () => {
  it('makes scheduled jobs ready at once, behind those that were there', () => {
    const rig = new EngineRig();
    const [later] = rig.enqueue({ delayMs: 60_000 });
    const [before] = rig.enqueue({});
    rig.advance(5);
    expect(rig.act('runNow', { all: { state: 'scheduled' } })).toMatchObject({ done: 1 });
    rig.advance(5);
    const [after] = rig.enqueue({});
    expect(rig.act('runNow', rig.ids(after!))).toMatchObject({ skipped: { ready: 1 } });
    rig.reopen('crashed');
    expect(rig.claim().map(({ id }) => id)).toEqual([before, later, after]);
    expect(rig.job(later!)!.acts).toMatchObject([{ act: 'runNow', actor: 'olga' }]);
  });

  it('lets a retry keep its place', () => {
    const rig = new EngineRig();
    const [first, second] = rig.enqueue({}, {});
    rig.fail(rig.claim({ limit: 1 }), { retryInMs: 60_000 });
    rig.advance(5);
    rig.act('runNow', rig.ids(first!));
    expect(rig.engine.queues()[0]).toMatchObject({ retrying: 0, counts: { ready: 2, scheduled: 0 } });
    expect(rig.claim().map(({ id, attempt }) => [id, attempt])).toEqual([
      [first, 2],
      [second, 1],
    ]);
  });

  it('wakes a waiting claim', () => {
    const rig = new EngineRig();
    const [id] = rig.enqueue({ delayMs: 60_000 });
    const { answer } = rig.startClaim({ waitMs: 1000 });
    rig.settle();
    expect(answer.called).toBe(0);
    rig.act('runNow', rig.ids(id!));
    expect(answer.value).toMatchObject([{ id }]);
  });
});

describe('transfer', () => {
  const other = { ...SHAPE, queue: 'other' };

  it('takes jobs that wait to another queue, each from where it is, and keeps their place through crashes', () => {
    const rig = new EngineRig();
    const [a, b] = rig.enqueue({}, { delayMs: 10 });
    const [there] = rig.enqueue({ shape: other });
    const [c] = rig.enqueue({ shape: { ...SHAPE, queue: 'third' } });
    const act = { kind: 'transfer', queue: 'other' } as const;
    expect(rig.act(act, rig.ids(c!, a!, b!, there!))).toEqual({ matched: 4, done: 3, skipped: { ready: 1 } });
    rig.reopen('crashed');
    rig.advance(20);
    expect(rig.claim()).toEqual([]);
    const claimed = rig.claim({ queues: ['other'] });
    expect(claimed.map(({ id }) => id)).toEqual([a, there, c, b]);
    expect(rig.job(c!)).toMatchObject({ queue: 'other', acts: [{ fromQueue: 'third', toQueue: 'other' }] });
    expect(rig.act({ ...act, queue: 'third' }, rig.ids(a!))).toMatchObject({ done: 0, skipped: { leased: 1 } });
  });
});

describe('reprioritise', () => {
  it('moves ready and scheduled jobs among the others', () => {
    const rig = new EngineRig();
    const ids = rig.enqueue({}, {}, {}, { delayMs: 10 }, {});
    const [a, b, c, d, e] = ids;
    expect(rig.act({ kind: 'reprioritise', priority: 9 }, rig.ids(a!, c!))).toMatchObject({ done: 2 });
    rig.act({ kind: 'reprioritise', priority: 4 }, rig.ids(d!));
    rig.advance(20);
    const order = [b, e, d, a, c];
    rig.reopen('crashed');
    const claimed = rig.claim();
    expect(claimed.map(({ id }) => id)).toEqual(order);
    expect(claimed.map(({ shape }) => shape.priority)).toEqual([0, 0, 4, 9, 9]);
    expect(rig.job(a!)).toMatchObject({ priority: 9, acts: [{ act: 'reprioritise', priority: 9 }] });
    expect(rig.act({ kind: 'reprioritise', priority: 1 }, rig.ids(a!))).toMatchObject({
      done: 0,
      skipped: { leased: 1 },
    });
  });
});

describe('a selection', () => {
  it('counts an id that is named twice once', () => {
    const rig = new EngineRig();
    const [id] = rig.enqueue({});
    expect(rig.act('cancel', rig.ids(id!, id!))).toEqual({ matched: 1, done: 1, skipped: {} });
  });

  it('of a state that refuses the act is counted and skipped', () => {
    const rig = new EngineRig();
    rig.enqueue({}, {}, { shape: { ...SHAPE, name: 'other' } });
    expect(rig.act('redrive', { all: { state: 'ready', name: 'send' } })).toEqual({
      matched: 2,
      done: 0,
      skipped: { ready: 2 },
    });
    expect(rig.act('redrive', { all: { state: 'dead' } })).toEqual({ matched: 0, done: 0, skipped: {} });
  });

  it('of many jobs lets claims through, has one answer, and does not take jobs that come meanwhile', () => {
    const rig = new EngineRig();
    const count = 6 * ACT_SLICE_JOBS;
    const many = Array.from({ length: count }, () => ({}));
    rig.enqueue(...many);
    const answer = newAnswer<ActOutcome>();
    rig.engine.act({ kind: 'cancel' }, { all: { state: 'ready' } }, { actor: 'olga' }, noteIn(answer));
    rig.settle();
    expect(answer.called).toBe(0);
    const [claimed] = rig.claim({ limit: 1 });
    const [late] = rig.enqueue({});
    for (let turn = 0; turn < 10 && answer.called === 0; turn++) rig.advance(0);
    // What was leased on the way is left alone, though leased jobs can be cancelled: it was not asked for.
    expect(answer.value).toEqual({ matched: count, done: count - 1, skipped: { leased: 1 } });
    expect(rig.ack(claimed!)).toEqual(['ok']);
    expect(rig.state(late!)).toBe('ready');
  });

  it('skips what left its state before its turn, under the state that it is in then', () => {
    const rig = new EngineRig({ completedKept: 1e6 });
    // The last one in the selection is the first one to be claimed.
    const many = Array.from({ length: 6 * ACT_SLICE_JOBS - 1 }, () => ({ shape: { ...SHAPE, priority: 1 } }));
    rig.enqueue(...many, {});
    const answer = newAnswer<ActOutcome>();
    rig.engine.act({ kind: 'cancel' }, { all: { state: 'ready' } }, { actor: 'olga' }, noteIn(answer));
    rig.settle();
    const [claimed] = rig.claim({ limit: 1 });
    rig.ack(claimed!);
    for (let turn = 0; turn < 10 && answer.called === 0; turn++) rig.advance(0);
    const done = 6 * ACT_SLICE_JOBS - 1;
    expect(answer.value).toEqual({ matched: done + 1, done, skipped: { completed: 1 } });
  });

  it('is worked off before a close ends', () => {
    const rig = new EngineRig({ completedKept: 1e6 });
    rig.enqueue(...Array.from({ length: 3 * ACT_SLICE_JOBS }, () => ({})));
    const answer = newAnswer<ActOutcome>();
    rig.engine.act({ kind: 'cancel' }, { all: { state: 'ready' } }, { actor: 'olga' }, noteIn(answer));
    let closed = 0;
    rig.engine.close(() => closed++);
    rig.settle();
    for (let turn = 0; turn < 10 && closed === 0; turn++) rig.advance(0);
    expect([closed, answer.value?.done]).toEqual([1, 3 * ACT_SLICE_JOBS]);
  });

  it('that a failing store could not finish is answered as unknown', () => {
    const rig = new EngineRig();
    rig.enqueue(...Array.from({ length: 2 * ACT_SLICE_JOBS }, () => ({})));
    const answer = newAnswer<ActOutcome>();
    rig.engine.act({ kind: 'cancel' }, { all: { state: 'ready' } }, { actor: 'olga' }, noteIn(answer));
    rig.files.plan = { atStep: rig.files.steps, fault: 'EIO' };
    rig.settle();
    rig.advance(0);
    expect([answer.called, answer.error?.outcome]).toEqual([1, 'unknown']);
  });
});

describe('clone', () => {
  it('makes a linked job, durable, and leaves the other as it is', () => {
    const rig = new EngineRig();
    const shape = { ...SHAPE, priority: 3, maxAttempts: 2 };
    const [original] = rig.enqueue({ shape, payload: '{"a":1}' });
    rig.fail(rig.claim(), 'dead');
    const before = rig.job(original!);
    const same = rig.clone(original!, undefined, { actor: 'olga', reason: 'again' });
    const other = rig.clone(original!, '{"a":2}');
    expect(rig.job(original!)).toEqual(before);
    rig.reopen('crashed');
    expect(rig.job(original!)).toEqual(before);
    expect(rig.job(same!)).toMatchObject({
      state: 'ready',
      priority: 3,
      attempts: 0,
      maxAttempts: 2,
      payload: '{"a":1}',
      clonedFrom: rig.text(original!),
      acts: [{ act: 'clone', actor: 'olga', reason: 'again' }],
    });
    expect(rig.job(other!)).toMatchObject({ payload: '{"a":2}', clonedFrom: rig.text(original!) });
    expect(rig.claim().map(({ id, payload }) => [id, payload])).toEqual([
      [same, '{"a":1}'],
      [other, '{"a":2}'],
    ]);
  });

  it('answers undefined for a job that is not there, and an error of its own for an unreadable payload', () => {
    const rig = new EngineRig();
    expect(rig.clone(4711)).toBeUndefined();
    const [id] = rig.enqueue({ payload: '"unreadable"' });
    rig.reopen();
    rig.damage('"unreadable"');
    expect(() => rig.clone(id!)).toThrow(LogCorruptError);
    expect(rig.clone(id!, '{}')).toBe(id! + 1);
  });

  it('tells its caller alone that the disk did not give what is cloned, and the engine goes on', () => {
    const rig = new EngineRig();
    const [id] = rig.enqueue({ extras: { headers: { traceparent: '00-1-2-01' } } });
    rig.reopen();
    rig.files.readFailures = 1;
    expect(() => rig.clone(id!, '{}')).toThrow(expect.objectContaining({ code: 'STORE_FAILED', outcome: 'rejected' }));
    rig.files.readFailures = 0;
    expect(rig.fatal).toEqual([]);
    expect(rig.clone(id!, '{}')).toBe(id! + 1);
  });
});

import { describe, expect, it } from 'vitest';
import { EngineRig, SHAPE } from '../../test/model/engine-rig.js';
import type { CheckedDedupe, EngineJob } from './engine-calls.js';

type Conflict = CheckedDedupe['onConflict'];

function keyed(key: string, onConflict: Conflict = 'keep', forMs = 0): Partial<EngineJob> {
  return { dedupe: { key, onConflict, forMs } };
}

/** Jobs of other keys come and go until the segments of now are retired. */
function retireSegments(rig: EngineRig): void {
  const before = rig.engine.storage().segments.at(-1)!.file;
  for (let round = 0; round < 200; round++) {
    rig.enqueue({ payload: 'x'.repeat(20_000), shape: { ...SHAPE, queue: 'other' } });
    rig.ack(...rig.claim({ queues: ['other'] }));
    rig.act('remove', { all: { state: 'completed', queue: 'other' } });
    rig.advance(100);
    const { segments } = rig.engine.storage();
    if (!segments.some(({ file }) => file === before)) return;
  }
  throw new Error('no segment was retired');
}

describe('a duplicate', () => {
  it('is answered when the job that it names is durable, and not before', () => {
    const rig = new EngineRig();
    const first = rig.startEnqueue(keyed('a'));
    rig.engine.endTurn();
    const second = rig.startEnqueue(keyed('a'));
    rig.engine.endTurn();
    expect([first.called, second.called]).toEqual([0, 0]);
    rig.files.finishSyncs();
    expect([first.called, second.called]).toEqual([1, 1]);
    expect(second.value?.each).toMatchObject({ ids: Float64Array.of(1), outcomes: Uint8Array.of(1) });
    const third = rig.startEnqueue(keyed('a'));
    rig.engine.endTurn();
    expect(third.called).toBe(1);
  });

  it('is no duplicate where the machine did not keep the first', () => {
    const outcomes = new Set<string>();
    for (let seed = 0; seed < 20; seed++) {
      const rig = new EngineRig({ seed });
      rig.startEnqueue(keyed('a'));
      rig.engine.endTurn();
      rig.reopen('crashed');
      const outcome = rig.engine.browse({}, { limit: 1 }).rows.length === 0 ? 'created' : 'duplicate';
      expect(rig.tryEnqueue(keyed('a'))).toMatchObject([{ outcome }]);
      outcomes.add(outcome);
    }
    expect(outcomes).toContain('created');
  });

  it('is none of a job that should have been cancelled for its age, though nobody has done it yet', () => {
    const rig = new EngineRig();
    const [old] = rig.enqueue({ ...keyed('a'), expiresInMs: 5000 });
    rig.clock.stall(5000);
    const [second] = rig.tryEnqueue(keyed('a'));
    expect(second).toMatchObject({ outcome: 'created' });
    rig.advance(100);
    expect(rig.state(old!)).toBe('cancelled');
    expect(rig.tryEnqueue(keyed('a'))).toEqual([{ id: second!.id, state: 'ready', outcome: 'duplicate' }]);
  });
});

describe('a replaced job', () => {
  it('is handed out with its new payload at once, and shown so, before and after it is durable', () => {
    const rig = new EngineRig();
    const [id] = rig.enqueue({ ...keyed('a'), payload: 'old', delayMs: 5000 });
    const answer = rig.startEnqueue({ ...keyed('a', 'replace'), payload: 'new' });
    expect(rig.job(id!)).toMatchObject({ payload: 'new', state: 'ready', dedupeKey: 'a' });
    const claim = rig.startClaim();
    rig.engine.endTurn();
    expect(claim.answer.value).toMatchObject([{ id, payload: 'new' }]);
    expect(answer.called).toBe(0);
    rig.files.finishSyncs();
    expect(answer.value?.each).toMatchObject({ ids: Float64Array.of(id!), outcomes: Uint8Array.of(2) });
  });

  it('is the old one again where the machine did not keep the new one', () => {
    const payloads = new Set<unknown>();
    for (let seed = 0; seed < 20; seed++) {
      const rig = new EngineRig({ seed });
      const [id] = rig.enqueue({ ...keyed('a'), payload: 'old' });
      rig.startEnqueue({ ...keyed('a', 'replace'), payload: 'new' });
      rig.engine.endTurn();
      rig.reopen('crashed');
      payloads.add(rig.job(id!)?.payload);
    }
    expect(payloads).toContain('old');
    expect(['old', 'new']).toEqual(expect.arrayContaining([...payloads]));
  });

  it('may not be durable itself yet', () => {
    const rig = new EngineRig();
    const first = rig.startEnqueue({ ...keyed('a'), payload: 'old' });
    rig.engine.endTurn();
    rig.startEnqueue({ ...keyed('a', 'replace'), payload: 'new', delayMs: 5000 });
    rig.engine.endTurn();
    expect(rig.engine.browse({}, { limit: 10 }).rows).toEqual([]);
    rig.settle();
    expect(first.value?.scheduled).toEqual(Uint8Array.of(0));
    expect(rig.job(1)).toMatchObject({ payload: 'new', state: 'scheduled' });
    expect(rig.engine.queues()).toMatchObject([{ counts: { scheduled: 1, ready: 0 } }]);
  });

  it('takes the expiry of its replacement, and no other job loses its own', () => {
    const rig = new EngineRig();
    const [other] = rig.enqueue({ expiresInMs: 3000 });
    rig.startEnqueue(
      { ...keyed('a', 'replace'), expiresInMs: 1000 },
      { ...keyed('a', 'replace'), expiresInMs: 5000 },
      { ...keyed('b', 'replace'), expiresInMs: 1000 },
      keyed('b', 'replace'),
    );
    rig.settle();
    rig.advance(3000);
    expect([2, 3, other!].map((id) => rig.state(id))).toEqual(['ready', 'ready', 'cancelled']);
    rig.advance(2000);
    expect([2, 3].map((id) => rig.state(id))).toEqual(['cancelled', 'ready']);
  });

  it('is known when the record of its enqueue was retired, and that of its replacement, too', () => {
    const rig = new EngineRig({ segmentBytes: 64 * 1024 });
    const [id] = rig.enqueue({ ...keyed('a'), payload: 'old', delayMs: 1e9 });
    retireSegments(rig);
    rig.tryEnqueue({ ...keyed('a', 'replace'), payload: 'new', delayMs: 1e9 });
    for (let round = 0; round < 2; round++) {
      rig.reopen('crashed');
      expect(rig.job(id!)).toMatchObject({ payload: 'new', state: 'scheduled', dedupeKey: 'a' });
      expect(rig.tryEnqueue(keyed('a'))).toEqual([{ id, state: 'scheduled', outcome: 'duplicate' }]);
      retireSegments(rig);
    }
  });
});

describe('a window', () => {
  it('holds though the job is forgotten and its segments are retired', () => {
    for (const completedKept of [0, 1, 1000]) holdsItsWindow(completedKept);
  });
});

it('a window stands beside a younger job with the key, and after it, when the records of both were retired', () => {
  const rig = new EngineRig();
  const [old] = rig.enqueue(keyed('a', 'keep', 10_000_000));
  const leased = rig.claim({ leaseMs: 1_000_000 });
  const [younger] = rig.tryEnqueue(keyed('a', 'runOnceMore'));
  rig.ack(...leased);
  retireSegments(rig);
  rig.reopen('crashed');
  expect(rig.tryEnqueue(keyed('a'))).toMatchObject([{ id: younger!.id, outcome: 'duplicate' }]);
  rig.ack(...rig.claim());
  expect(rig.tryEnqueue(keyed('a'))).toMatchObject([{ id: old, outcome: 'duplicate' }]);
});

it('a window is not ended by an older one with its key that is written again behind it', () => {
  const rig = new EngineRig({ segmentBytes: 64 * 1024 });
  // Its place in memory becomes that of the younger job, so that compaction comes to that one first.
  const [first] = rig.enqueue({});
  rig.enqueue(keyed('a', 'keep', 1000));
  rig.ack(...rig.claim());
  rig.act('remove', rig.ids(first!));
  rig.advance(2000);
  const [younger] = rig.tryEnqueue(keyed('a', 'keep', 1e9));
  expect(younger).toMatchObject({ outcome: 'created' });
  rig.ack(...rig.claim());
  retireSegments(rig);
  const duplicate = [{ id: younger!.id, state: 'completed', outcome: 'duplicate' }];
  expect(rig.tryEnqueue(keyed('a'))).toEqual(duplicate);
  rig.reopen('crashed');
  expect(rig.tryEnqueue(keyed('a'))).toEqual(duplicate);
});

it('a key stays taken when a completed job that had it before is forgotten', () => {
  const rig = new EngineRig({ completedKept: 1 });
  rig.enqueue(keyed('a', 'keep', 1000));
  rig.ack(...rig.claim());
  rig.advance(2000);
  rig.enqueue(keyed('a'));
  rig.fail(rig.claim(), 'dead');
  const [id] = rig.enqueue({ ...keyed('a'), delayMs: 1e6 });
  rig.enqueue({});
  rig.ack(...rig.claim());
  const duplicate = [{ id, state: 'scheduled', outcome: 'duplicate' }];
  expect(rig.tryEnqueue(keyed('a'))).toEqual(duplicate);
  rig.reopen('killed');
  expect(rig.tryEnqueue(keyed('a'))).toEqual(duplicate);
});

it('a job that was redriven takes no key, also when it was moved', () => {
  const rig = new EngineRig({ segmentBytes: 64 * 1024 });
  const [id] = rig.enqueue(keyed('a'));
  rig.fail(rig.claim(), 'dead');
  rig.act('redrive', rig.ids(id!));
  retireSegments(rig);
  rig.reopen('crashed');
  expect(rig.state(id!)).toBe('ready');
  expect(rig.tryEnqueue(keyed('a'))).toMatchObject([{ outcome: 'created' }]);
});

function holdsItsWindow(completedKept: number): void {
  const rig = new EngineRig({ segmentBytes: 64 * 1024, completedKept });
  const [id] = rig.enqueue(keyed('a', 'keep', 1e9));
  rig.ack(...rig.claim());
  const again = () => rig.tryEnqueue(keyed('a'));
  const duplicate = [{ id, state: 'completed', outcome: 'duplicate' }];
  for (let round = 0; round < 2; round++) {
    expect(again()).toEqual(duplicate);
    rig.enqueue({});
    rig.ack(...rig.claim());
    retireSegments(rig);
    expect(again()).toEqual(duplicate);
    rig.reopen('crashed');
  }
  expect(again()).toEqual(duplicate);
  rig.clock.setWall(1e9);
  expect(again()).toMatchObject([{ outcome: 'created' }]);
}

import { describe, expect, it } from 'vitest';
import { EngineRig, SHAPE } from '../../test/model/engine-rig.js';

describe('claim', () => {
  it('hands out payload, shape and token, and writes the attempt before it answers', () => {
    const rig = new EngineRig();
    const shape = { ...SHAPE, priority: 7, maxAttempts: null };
    const bytes = new Uint8Array([1, 2, 3]);
    const [text, binary] = rig.enqueue({ shape, payload: '{"to":"é"}' }, { shape, payload: bytes });
    const jobs = rig.claim({ worker: 'w', leaseMs: 9000 });
    expect(jobs).toMatchObject([
      { id: text, shape, payload: '{"to":"é"}', attempt: 1 },
      { id: binary, shape, payload: bytes, attempt: 1 },
    ]);
    expect(rig.job(text!)).toMatchObject({
      state: 'leased',
      attempts: 1,
      lease: { worker: 'w', leaseMs: 9000, remainingMs: 9000 },
      attemptLog: [{ attempt: 1, worker: 'w', outcome: 'running' }],
    });
    rig.reopen();
    expect(rig.job(text!)).toMatchObject({ state: 'scheduled', attempts: 1, lastError: { class: 'ProcessEnded' } });
  });

  it('goes by priority, then by the time a job could first start, then by enqueue, over all lanes', () => {
    const rig = new EngineRig();
    const low = { ...SHAPE, priority: 9 };
    const other = { ...SHAPE, name: 'other' };
    const [a, b, c, d] = rig.enqueue({ shape: low }, { shape: SHAPE, delayMs: 50 }, { shape: other }, { shape: SHAPE });
    rig.advance(50);
    const [e] = rig.enqueue({ shape: other });
    expect(rig.claim().map(({ id }) => id)).toEqual([c, d, b, e, a]);
  });

  it('takes only the asked names and queues', () => {
    const rig = new EngineRig();
    const [, b, c] = rig.enqueue(
      { shape: SHAPE },
      { shape: { ...SHAPE, name: 'b' } },
      { shape: { ...SHAPE, queue: 'web', name: 'b' } },
    );
    expect(rig.claim({ names: ['b', 'b', 'nobody'] }).map(({ id }) => id)).toEqual([b]);
    expect(rig.claim({ queues: ['web', 'web', 'none'] }).map(({ id }) => id)).toEqual([c]);
  });

  it('keeps the rank of a failed and of a released job', () => {
    const rig = new EngineRig();
    const ids = rig.enqueue({}, {}, {});
    const [first, second] = rig.claim({ limit: 2 });
    rig.fail(first!, { retryInMs: 0 });
    rig.release(second!);
    expect(rig.claim().map(({ id }) => id)).toEqual(ids);
  });

  it('keeps the order of enqueue when the wall clock is set back', () => {
    const rig = new EngineRig();
    const [first] = rig.enqueue({});
    rig.clock.setWall(-3_600_000);
    const [second] = rig.enqueue({});
    expect(rig.claim().map(({ id }) => id)).toEqual([first, second]);
  });

  it('hands out at most the payload bytes of one call, but at least one job', () => {
    const rig = new EngineRig({ segmentBytes: 256 * 1024 * 1024 });
    const jobs = Array.from({ length: 12 }, () => ({ payload: 'x'.repeat(1024 * 1024) }));
    rig.enqueue(...jobs);
    rig.enqueue(...jobs);
    expect(rig.claim()).toHaveLength(16);
    expect(rig.claim()).toHaveLength(8);
  });
});

describe('a waiting claim', () => {
  it('is woken by a durable enqueue', () => {
    const rig = new EngineRig();
    const { answer } = rig.startClaim({ waitMs: 1000 });
    rig.settle();
    expect(answer.called).toBe(0);
    const [id] = rig.enqueue({});
    expect(answer.value).toMatchObject([{ id }]);
    expect(answer.called).toBe(1);
  });

  it('ends empty when its time is over', () => {
    const rig = new EngineRig();
    const { answer } = rig.startClaim({ waitMs: 1000 });
    rig.settle();
    rig.advance(999);
    expect(answer.called).toBe(0);
    rig.advance(1);
    expect(answer).toMatchObject({ called: 1, value: [] });
  });

  it('ends at its time although the timer was set for something later', () => {
    const rig = new EngineRig();
    rig.enqueue({ delayMs: 3_600_000 });
    rig.advance(200);
    rig.advance(200);
    const { answer } = rig.startClaim({ waitMs: 1000 });
    rig.settle();
    rig.advance(1000);
    expect(answer).toMatchObject({ called: 1, value: [] });
  });

  it('is woken by a due job, a release, an immediate retry, an expired lease and a redrive', () => {
    const rig = new EngineRig();
    const woken = (cause: () => void) => {
      const { answer } = rig.startClaim({ waitMs: 60_000, leaseMs: 1000 });
      rig.settle();
      expect(answer.called).toBe(0);
      cause();
      expect(answer.value).toHaveLength(1);
      return answer.value![0]!;
    };
    const due = woken(() => {
      rig.enqueue({ delayMs: 500 });
      rig.advance(500);
    });
    const released = woken(() => rig.release(due));
    const retried = woken(() => rig.fail(released, { retryInMs: 0 }));
    const expired = woken(() => rig.advance(2000));
    expect(expired).toMatchObject({ id: retried.id, attempt: 3 });
    rig.fail(expired, 'dead');
    woken(() => rig.act('redrive', { ids: [rig.text(expired.id)] }));
  });

  it('is served in order of the calls', () => {
    const rig = new EngineRig();
    const answers = [1, 2, 3].map(() => rig.startClaim({ waitMs: 1000, limit: 1 }).answer);
    rig.settle();
    const ids = rig.enqueue({}, {});
    expect(answers.map(({ value }) => value?.[0]?.id)).toEqual([...ids, undefined]);
  });

  it('comes before a claim that is made when a job is handed back', () => {
    const rig = new EngineRig();
    rig.enqueue({});
    const [job] = rig.claim();
    const waiting = rig.startClaim({ waitMs: 1000 });
    rig.settle();
    rig.engine.release([job!], () => {});
    const late = rig.startClaim();
    rig.settle();
    expect(waiting.answer.value).toHaveLength(1);
    expect(late.answer.value).toEqual([]);
  });

  it('gets nothing after it was cancelled, and a cancelled one keeps nothing', () => {
    const rig = new EngineRig();
    const { answer, pending } = rig.startClaim({ waitMs: 1000 });
    rig.settle();
    pending.cancel();
    const [id] = rig.enqueue({});
    expect(answer).toMatchObject({ called: 1, value: [] });
    const second = rig.startClaim({ waitMs: 1000 });
    second.pending.cancel();
    rig.settle();
    expect(second.answer).toMatchObject({ called: 1, value: [] });
    expect(rig.job(id!)).toMatchObject({ state: 'ready', attempts: 0 });
    second.pending.cancel();
    expect(rig.claim()).toHaveLength(1);
  });

  it('passes by jobs of other names', () => {
    const rig = new EngineRig();
    const picky = rig.startClaim({ waitMs: 1000, names: ['b'] });
    const any = rig.startClaim({ waitMs: 1000 });
    rig.settle();
    const [id] = rig.enqueue({});
    expect(picky.answer.called).toBe(0);
    expect(any.answer.value).toMatchObject([{ id }]);
  });
});

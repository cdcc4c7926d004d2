import type { SettleAnswer } from '@holdfast/contract';
import { describe, expect, it } from 'vitest';
import { EngineRig, newAnswer, noteIn, SHAPE } from '../../test/model/engine-rig.js';

describe('settling', () => {
  it('acks once, says ok to the same ack again, and refuses every other token', () => {
    const rig = new EngineRig();
    const [id] = rig.enqueue({});
    const [job] = rig.claim();
    expect(rig.ack({ ...job!, result: '"sent"' }, { ...job! })).toEqual(['ok', 'ok']);
    expect(rig.ack(job!)).toEqual(['ok']);
    expect(rig.ack({ id: id!, token: job!.token + 1 })).toEqual(['stale']);
    expect(rig.fail(job!)).toEqual(['stale']);
    expect(rig.extend({ ...job!, leaseMs: 1000 })).toEqual(['stale']);
    expect(rig.release(job!)).toEqual(['stale']);
    expect(rig.ack({ id: 4711, token: job!.token })).toEqual(['missing']);
    expect(rig.job(id!)).toMatchObject({
      state: 'completed',
      result: '"sent"',
      attemptLog: [{ outcome: 'completed' }],
    });
    rig.reopen();
    expect(rig.ack(job!)).toEqual(['ok']);
  });

  it('refuses the token of a lease that was followed by another', () => {
    const rig = new EngineRig();
    rig.enqueue({});
    const [old] = rig.claim();
    rig.release(old!);
    const [live] = rig.claim();
    expect(live!.token).toBeGreaterThan(old!.token);
    expect([rig.ack(old!), rig.fail(old!), rig.release(old!)]).toEqual([['stale'], ['stale'], ['stale']]);
    expect(rig.ack(live!)).toEqual(['ok']);
  });

  it('runs a job again whose ack did not reach the disk, and refuses the late ack', () => {
    const rig = new EngineRig({ seed: 5 });
    const [id] = rig.enqueue({});
    rig.advance(200);
    const [job] = rig.claim();
    rig.advance(200);
    expect(rig.ack(job!)).toEqual(['ok']);
    let lost = false;
    for (let tries = 0; tries < 20 && !lost; tries++) {
      const copy = new EngineRig({ seed: tries });
      const [own] = copy.enqueue({});
      copy.advance(200);
      const [leased] = copy.claim();
      copy.advance(200);
      copy.engine.ack([leased!], () => {});
      copy.engine.endTurn();
      copy.reopen('crashed');
      lost = copy.state(own!) === 'scheduled';
      expect(copy.ack(leased!)).toEqual([lost ? 'stale' : 'ok']);
    }
    expect(lost).toBe(true);
    expect(rig.state(id!)).toBe('completed');
  });

  it('answers an ack when it is written, and as unknown when that failed', () => {
    const rig = new EngineRig();
    rig.enqueue({}, {});
    const [first, second] = rig.claim();
    const written = newAnswer<readonly SettleAnswer[]>();
    rig.engine.ack([first!], noteIn(written));
    expect(written.called).toBe(0);
    rig.engine.endTurn();
    expect(written).toMatchObject({ called: 1, value: ['ok'] });
    const lost = newAnswer<readonly SettleAnswer[]>();
    rig.files.plan = { atStep: rig.files.steps, fault: 'EIO' };
    rig.engine.ack([second!], noteIn(lost));
    rig.engine.endTurn();
    expect(lost).toMatchObject({ called: 1, error: { code: 'STORE_FAILED', outcome: 'unknown' }, value: undefined });
  });

  it('makes an ack durable within 50 ms although nobody waits for it', () => {
    const rig = new EngineRig();
    const [id] = rig.enqueue({});
    const [job] = rig.claim();
    rig.ack(job!);
    rig.advance(50);
    rig.reopen('crashed');
    expect(rig.state(id!)).toBe('completed');
  });

  it('retries with the backoff and is dead after the last attempt', () => {
    const rig = new EngineRig();
    const shape = {
      ...SHAPE,
      maxAttempts: 3,
      backoff: { kind: 'exponential' as const, baseMs: 1000, maxMs: 1500, jitter: 'none' as const },
    };
    const [id] = rig.enqueue({ shape });
    for (const delayMs of [1000, 1500]) {
      rig.fail(rig.claim()[0]!);
      expect(rig.job(id!)).toMatchObject({ state: 'scheduled', runAtMs: rig.clock.now() + delayMs });
      rig.advance(delayMs - 1);
      expect(rig.claim()).toEqual([]);
      rig.advance(1);
    }
    rig.fail(rig.claim()[0]!);
    expect(rig.job(id!)).toMatchObject({
      state: 'dead',
      attempts: 3,
      lastError: { class: 'TypeError', message: 'no such thing' },
      attemptLog: [{ attempt: 1 }, { attempt: 2 }, { attempt: 3, outcome: 'failed' }],
    });
    expect(rig.claim()).toEqual([]);
  });

  it('draws full jitter evenly from 0 to the delay', () => {
    const rig = new EngineRig();
    const backoff = { kind: 'fixed' as const, baseMs: 1000, maxMs: 1000, jitter: 'full' as const };
    rig.enqueue(...Array.from({ length: 100 }, () => ({ shape: { ...SHAPE, backoff } })));
    rig.fail(rig.claim());
    const { rows } = rig.engine.browse({}, { limit: 100 });
    const delays = rows.map(({ runAtMs }) => runAtMs - rig.clock.now()).sort((one, other) => one - other);
    expect(delays[0]).toBeGreaterThanOrEqual(0);
    expect(delays[99]).toBeLessThanOrEqual(1000);
    expect(delays[50]).toBeGreaterThan(350);
    expect(delays[50]).toBeLessThan(650);
  });

  it('is dead at once when the handler says so, and cuts over-long error texts between characters', () => {
    const rig = new EngineRig();
    const [id] = rig.enqueue({});
    const error = { class: 'é'.repeat(200), message: `${'é'.repeat(5000)}`, stack: 's'.repeat(9000) };
    rig.fail(rig.claim()[0]!, 'dead', error);
    expect(rig.job(id!)).toMatchObject({ state: 'dead', attempts: 1 });
    const [attempt] = rig.job(id!)!.attemptLog;
    expect(attempt?.error?.class).toBe('é'.repeat(127));
    expect(attempt?.error?.message).toBe('é'.repeat(4096));
    expect(attempt?.error?.stack).toBe('s'.repeat(8192));
  });

  it('does not count a released attempt, and waits with a delay', () => {
    const rig = new EngineRig();
    const [id] = rig.enqueue({});
    rig.release({ ...rig.claim()[0]!, delayMs: 700 });
    expect(rig.job(id!)).toMatchObject({ state: 'scheduled', attempts: 0, attemptLog: [{ outcome: 'released' }] });
    expect(rig.engine.queues()[0]).toMatchObject({ retrying: 0 });
    rig.advance(700);
    expect(rig.claim()[0]).toMatchObject({ attempt: 1 });
  });

  it('spreads acks with large results over several records', () => {
    const rig = new EngineRig({ segmentBytes: 256 * 1024 * 1024 });
    const ids = rig.enqueue(...Array.from({ length: 100 }, () => ({})));
    const result = 'r'.repeat(256 * 1024);
    expect(new Set(rig.ack(...rig.claim().map((job) => ({ ...job, result }))))).toEqual(new Set(['ok']));
    rig.reopen();
    expect(rig.job(ids[99]!)).toMatchObject({ state: 'completed', result });
  });
});

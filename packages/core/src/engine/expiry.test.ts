import { describe, expect, it } from 'vitest';
import { EngineRig } from '../../test/model/engine-rig.js';

describe('a job that nobody starts in time', () => {
  it('is cancelled by a timer, with its cause and without an actor', () => {
    const rig = new EngineRig();
    const [id] = rig.enqueue({ expiresInMs: 5000 });
    expect(rig.job(id!)).toMatchObject({ expiresAtMs: rig.clock.now() + 5000 });
    rig.advance(4999);
    expect(rig.state(id!)).toBe('ready');
    rig.advance(1);
    const check = () => {
      const job = rig.job(id!)!;
      expect(job).toMatchObject({ state: 'cancelled', cancelCause: 'expired', acts: [], attemptLog: [] });
      expect(job).not.toHaveProperty('expiresAtMs');
      expect(rig.claim()).toEqual([]);
    };
    check();
    rig.advance(100);
    rig.reopen('crashed');
    check();
  });

  it('is not handed out, also when the timer is late', () => {
    const rig = new EngineRig();
    const [old, young] = rig.enqueue({ expiresInMs: 5000 }, {});
    rig.clock.stall(5000);
    expect(rig.claim().map(({ id }) => id)).toEqual([young]);
    expect(rig.state(old!)).toBe('cancelled');
  });

  it('is not handed out after a restart that came too late', () => {
    const rig = new EngineRig();
    const [id] = rig.enqueue({ expiresInMs: 5000 });
    rig.clock.stall(5000);
    rig.reopen('crashed');
    expect(rig.claim()).toEqual([]);
    expect(rig.job(id!)).toMatchObject({ state: 'cancelled', cancelCause: 'expired' });
  });

  it('is cancelled while it waits for its time, or in a paused queue', () => {
    const rig = new EngineRig();
    const [scheduled] = rig.enqueue({ runAtMs: rig.clock.now() + 10_000, expiresInMs: 5000 });
    const [paused] = rig.enqueue({ expiresInMs: 5000 });
    rig.pause('mail');
    rig.advance(5000);
    expect([rig.state(scheduled!), rig.state(paused!)]).toEqual(['cancelled', 'cancelled']);
    expect(rig.engine.queues()[0]!.counts).toMatchObject({ scheduled: 0, ready: 0, cancelled: 2 });
  });

  it('follows the wall clock when that is set', () => {
    const rig = new EngineRig();
    const [first, second] = rig.enqueue({ expiresInMs: 3_600_000 }, { expiresInMs: 7_200_000 });
    rig.clock.setWall(3_600_000);
    rig.advance(60_001);
    expect([rig.state(first!), rig.state(second!)]).toEqual(['cancelled', 'ready']);
    rig.clock.setWall(-3_600_000);
    rig.advance(3_600_000);
    expect(rig.state(second!)).toBe('ready');
  });
});

describe('a job that was started in time', () => {
  it('never expires: not while it runs, retries, is released or redriven', () => {
    const rig = new EngineRig();
    const [id] = rig.enqueue({ expiresInMs: 1000 });
    const [job] = rig.claim();
    expect(rig.job(id!)).not.toHaveProperty('expiresAtMs');
    rig.advance(2000);
    expect(rig.fail(job!, { retryInMs: 10 })).toEqual(['ok']);
    rig.reopen('crashed');
    rig.advance(10);
    rig.release(...rig.claim());
    rig.advance(10);
    rig.fail(rig.claim(), 'dead');
    rig.act('redrive', rig.ids(id!));
    rig.advance(2000);
    expect(rig.ack(...rig.claim())).toEqual(['ok']);
  });
});

it('lets a claim see past very many jobs that expired at once', () => {
  const rig = new EngineRig({ completedKept: 10 });
  const many = Array.from({ length: 10_000 }, () => ({ expiresInMs: 1000 }));
  for (let batch = 0; batch < 3; batch++) rig.enqueue(...many);
  const [young] = rig.enqueue({});
  rig.clock.stall(1000);
  const { answer } = rig.startClaim({ waitMs: 60_000 });
  rig.settle();
  for (let turn = 0; turn < 5 && answer.called === 0; turn++) rig.advance(0);
  expect(answer.value).toMatchObject([{ id: young }]);
  expect(rig.engine.queues()[0]!.counts).toMatchObject({ ready: 0, leased: 1, cancelled: 10 });
});

import { describe, expect, it } from 'vitest';
import { EngineRig, newAnswer, noteIn, SHAPE } from '../../test/model/engine-rig.js';

const BY = { actor: 'olga', reason: 'the mail server is down' };

function pausedOf(rig: EngineRig, queue: string) {
  return rig.engine.queues().find(({ name }) => name === queue)?.paused;
}

describe('pause', () => {
  it('keeps the jobs of one queue from being claimed, by any name, and lets the others go on', () => {
    const rig = new EngineRig();
    const [mail] = rig.enqueue({});
    const [web] = rig.enqueue({ shape: { ...SHAPE, queue: 'web' } });
    const pause = rig.pause('mail', undefined, BY);
    expect(pause).toEqual({ sinceMs: rig.clock.now(), ...BY });
    expect(rig.claim({ names: ['send'] })).toEqual([]);
    expect(rig.claim({ queues: ['mail', 'web'] }).map(({ id }) => id)).toEqual([web]);
    expect(pausedOf(rig, 'mail')).toEqual(pause);
    expect(pausedOf(rig, 'web')).toBeUndefined();
    expect(rig.resume('mail')).toBe(true);
    expect(rig.claim().map(({ id }) => id)).toEqual([mail]);
    expect(rig.resume('mail')).toBe(false);
  });

  it('lets a leased job end, and holds its retry', () => {
    const rig = new EngineRig();
    rig.enqueue({}, {});
    const [first, second] = rig.claim();
    rig.pause('mail');
    expect(rig.ack(first!)).toEqual(['ok']);
    expect(rig.fail(second!, { retryInMs: 10 })).toEqual(['ok']);
    rig.advance(20);
    expect(rig.claim()).toEqual([]);
  });

  it('holds for claims that wait, which are served when it ends', () => {
    const rig = new EngineRig();
    rig.pause('mail');
    const { answer } = rig.startClaim({ waitMs: 60_000 });
    const [id] = rig.enqueue({});
    rig.advance(1000);
    expect(answer.called).toBe(0);
    rig.resume('mail');
    expect(answer.value).toMatchObject([{ id }]);
  });

  it('is durable when answered and survives a restart, also that of a queue without jobs', () => {
    const rig = new EngineRig();
    const answer = newAnswer();
    rig.engine.pause({ queue: 'empty', by: BY }, noteIn(answer));
    rig.engine.endTurn();
    expect(answer.called).toBe(0);
    rig.files.finishSyncs();
    expect(answer.called).toBe(1);
    rig.reopen('crashed');
    expect(pausedOf(rig, 'empty')).toMatchObject(BY);
    rig.enqueue({ shape: { ...SHAPE, queue: 'empty' } });
    expect(rig.claim({ queues: ['empty'] })).toEqual([]);
    rig.resume('empty');
    rig.reopen('crashed');
    expect(pausedOf(rig, 'empty')).toBeUndefined();
    expect(rig.claim({ queues: ['empty'] })).toHaveLength(1);
  });

  it('ends by itself at its time, and serves who waits', () => {
    const rig = new EngineRig();
    rig.enqueue({});
    expect(rig.pause('mail', 5000).untilMs).toBe(rig.clock.now() + 5000);
    const { answer } = rig.startClaim({ waitMs: 60_000 });
    rig.settle();
    rig.advance(4999);
    expect(answer.called).toBe(0);
    rig.advance(1);
    expect(answer.value).toHaveLength(1);
    expect(pausedOf(rig, 'mail')).toBeUndefined();
  });

  it('ends while the store is closed, and goes on after a restart before its end', () => {
    const rig = new EngineRig();
    rig.enqueue({});
    rig.pause('mail', 5000);
    rig.reopen('crashed');
    expect(rig.claim()).toEqual([]);
    rig.clock.stall(5000);
    rig.reopen('crashed');
    expect(rig.claim()).toHaveLength(1);
  });

  it('ends when the wall clock is set beyond its end, within a minute', () => {
    const rig = new EngineRig();
    rig.enqueue({});
    rig.pause('mail', 3_600_000);
    const { answer } = rig.startClaim({ waitMs: 600_000 });
    rig.settle();
    rig.clock.setWall(3_600_000);
    rig.advance(60_001);
    expect(answer.value).toHaveLength(1);
  });

  it('that is asked for again has another end and reason, and began when the first one did', () => {
    const rig = new EngineRig();
    const { sinceMs } = rig.pause('mail', 1000);
    rig.advance(500);
    expect(rig.pause('mail', undefined, BY)).toEqual({ sinceMs, ...BY });
    rig.advance(1000);
    rig.reopen('crashed');
    expect(pausedOf(rig, 'mail')).toEqual({ sinceMs, ...BY });
  });
});

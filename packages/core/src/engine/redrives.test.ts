import { describe, expect, it } from 'vitest';
import { EngineRig, SHAPE } from '../../test/model/engine-rig.js';

describe('redrive', () => {
  it('makes dead jobs ready with their attempts at 0, records who did it, and counts what it skipped', () => {
    const rig = new EngineRig();
    const [a, b] = rig.enqueue({}, {});
    const [job] = rig.claim({ limit: 1 });
    rig.fail(job!, 'dead');
    rig.advance(1);
    const ids = [a!, b!, 999].map((id) => rig.text(id)).concat('nonsense');
    const outcome = rig.redrive({ ids }, { actor: 'olga', reason: 'mended' });
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
    expect(rig.redrive({ allDead: { queue: 'mail' } })).toEqual({ matched: 2, done: 2, skipped: {} });
    expect(rig.engine.queues()).toMatchObject([
      { name: 'mail', counts: { ready: 2, dead: 0 } },
      { name: 'web', counts: { ready: 0, dead: 1 } },
    ]);
    expect(rig.redrive({ allDead: {} })).toMatchObject({ done: 1 });
  });
});

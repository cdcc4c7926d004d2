import { describe, expect, it } from 'vitest';
import { EngineRig, SHAPE } from '../../test/model/engine-rig.js';

/** An engine whose disk has shown that it is fast: the clock stands still while it syncs. */
function fastRig(): EngineRig {
  const rig = new EngineRig();
  for (let sync = 0; sync < 20; sync++) rig.enqueue({ shape: { ...SHAPE, queue: 'other' } });
  return rig;
}

describe('a lone enqueue on a fast disk', () => {
  it('is durable at the end of its turn, and handed to a claim that waits in the same', () => {
    const rig = fastRig();
    const { answer: claim } = rig.startClaim({ waitMs: 1000 });
    rig.engine.endTurn();
    const answer = rig.startEnqueue({});
    rig.engine.endTurn();
    expect(answer.called).toBe(1);
    expect(claim.value).toHaveLength(1);
    rig.reopen('crashed');
    expect(['ready', 'scheduled']).toContain(rig.state(answer.value!.firstId));
  });

  it('is synced beside the engine while a job is leased, whose ack waits for no disk', () => {
    const rig = fastRig();
    rig.enqueue({});
    const [job] = rig.claim({ limit: 1 });
    const answer = rig.startEnqueue({});
    rig.engine.endTurn();
    expect(answer.called).toBe(0);
    expect(rig.ack(job!)).toEqual(['ok']);
  });

  it('is synced beside the engine with many others', () => {
    const rig = fastRig();
    const answer = rig.startEnqueue({ payload: 'x'.repeat(300_000) });
    rig.engine.endTurn();
    expect(answer.called).toBe(0);
    rig.files.finishSyncs();
    expect(answer.called).toBe(1);
  });

  it('is synced by the engine however long the way to the other thread takes', () => {
    const rig = new EngineRig();
    /** @returns whether the last of many was durable at the end of its turn */
    const enqueueMany = (): boolean => {
      let atOnce = true;
      for (let count = 0; count < 20; count++) {
        const answer = rig.startEnqueue({});
        rig.engine.endTurn();
        atOnce = answer.called === 1;
        rig.clock.stall(5);
        rig.files.finishSyncs();
        expect(answer.called).toBe(1);
      }
      return atOnce;
    };
    expect(enqueueMany()).toBe(false);
    rig.files.syncTookMs = 0.2;
    expect(enqueueMany()).toBe(true);
  });

  it('is unknown where its sync fails, and the engine ends', () => {
    const rig = fastRig();
    const answer = rig.startEnqueue({});
    rig.files.plan = { atStep: rig.files.steps + 1, fault: 'EIO' };
    rig.engine.endTurn();
    expect(answer.error).toMatchObject({ code: 'STORE_FAILED', outcome: 'unknown' });
  });
});

describe('a sync beside the engine', () => {
  it('is told at the end of a turn, though the engine is not free to be told in between', () => {
    const rig = new EngineRig();
    const answer = rig.startEnqueue({});
    rig.engine.endTurn();
    expect(answer.called).toBe(0);
    rig.files.syncsArePrompt = true;
    rig.engine.metrics();
    expect(answer.called).toBe(0);
    rig.engine.endTurn();
    expect(answer.called).toBe(1);
  });
});

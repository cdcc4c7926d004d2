import { setImmediate as nextTurn } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { describe, expect, it } from 'vitest';
import { EngineRig } from '../../test/model/engine-rig.js';

setFlagsFromString('--expose-gc');
const collectGarbage: () => void = runInNewContext('gc');

describe('enqueue', () => {
  it('answers when the records are durable, and not before', () => {
    const rig = new EngineRig();
    const answer = rig.startEnqueue({ payload: '"a"' }, { payload: '"b"', delayMs: 5000 });
    expect(answer.called).toBe(0);
    rig.engine.endTurn();
    expect(answer.called).toBe(0);
    rig.files.finishSyncs();
    expect(answer).toMatchObject({ called: 1, error: undefined, value: { scheduled: new Uint8Array([0, 1]) } });
  });

  it('lets nobody see or claim a job before it is durable', () => {
    const rig = new EngineRig();
    rig.startEnqueue({});
    rig.engine.endTurn();
    const early = rig.startClaim();
    rig.engine.endTurn();
    expect(early.answer.value).toEqual([]);
    expect(rig.engine.queues()).toMatchObject([{ counts: { ready: 0 } }]);
    rig.files.finishSyncs();
    expect(rig.engine.queues()).toMatchObject([{ counts: { ready: 1 } }]);
    expect(rig.claim()).toHaveLength(1);
  });

  it('loses a job whose write the machine did not keep, and keeps an answered one', () => {
    const rig = new EngineRig({ seed: 3 });
    const [kept] = rig.enqueue({});
    rig.startEnqueue({});
    rig.engine.endTurn();
    rig.reopen('crashed');
    expect(rig.state(kept!)).toBe('ready');
  });

  it('keeps all jobs of a call or none, wherever the machine ends', () => {
    const kept = new Set<number>();
    for (let seed = 0; seed < 60; seed++) {
      const rig = new EngineRig({ seed });
      rig.startEnqueue({}, {}, {});
      rig.engine.endTurn();
      rig.reopen('crashed');
      kept.add(rig.engine.browse({}, { limit: 10 }).rows.length);
    }
    expect(kept).toEqual(new Set([0, 3]));
  });

  it('makes enqueues wait in order when too much is before the disk', () => {
    const rig = new EngineRig({ segmentBytes: 256 * 1024 * 1024 });
    const payload = 'x'.repeat(1024 * 1024);
    const jobs = Array.from({ length: 12 }, () => ({ payload }));
    const answers = [0, 1, 2, 3, 4].map(() => rig.startEnqueue(...jobs));
    rig.engine.endTurn();
    rig.files.finishSyncs();
    expect(answers.map(({ called }) => called)).toEqual([1, 1, 1, 0, 0]);
    rig.files.finishSyncs();
    expect(answers.map(({ value }) => value?.firstId)).toEqual([1, 13, 25, 37, 49]);
  });

  it('keeps nothing of calls that were answered, also where others wait for the disk at any time', async () => {
    const rig = new EngineRig();
    rig.enqueue({});
    // While a job is leased, every sync is done beside the engine.
    rig.claim();
    const answers: WeakRef<object>[] = [];
    for (let turn = 0; turn < 100; turn++) {
      answers.push(new WeakRef(rig.startEnqueue({})));
      rig.engine.endTurn();
      // Ends the sync of the turn before: this turn's enqueue waits for the next one.
      if (turn > 0) rig.files.finishSyncs();
    }
    await nextTurn();
    collectGarbage();
    expect(answers.filter((answer) => answer.deref() !== undefined).length).toBeLessThan(10);
  });

  it('takes a time that has passed as now', () => {
    const rig = new EngineRig();
    const [id] = rig.enqueue({ runAtMs: 5 });
    expect(rig.job(id!)).toMatchObject({ state: 'ready', runAtMs: rig.clock.now() });
  });
});

import type { ActOutcome } from '@holdfast/contract';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { EngineRig, newAnswer, noteIn, SHAPE } from '../../test/model/engine-rig.js';
import { keeping } from '../../test/model/keeping.js';
import { NONE } from '../state/job-columns.js';
import { STATE } from '../state/job-state.js';
import { JobTable } from '../state/job-table.js';
import { ACT_SLICE_LOOKS } from './acts.js';
import { JobChoice } from './job-choice.js';

const JOBS = 700;
const READY_MAIL = { state: STATE.ready, queue: 'mail', name: undefined };

const LEASE = { worker: 'w', atMs: 2000, leaseMs: 1000, deadlineMs: 3000 };
let lastToken = 0;

/** Jobs with the ids from 1 on: every third is of another queue, every fifth waits for its time. */
function tableOf(jobs: number): JobTable {
  const table = new JobTable(keeping(10));
  const shapes = ['mail', 'mail', 'web'].map((queue) => table.shapes.intern({ ...SHAPE, queue }));
  for (let id = 1; id <= jobs; id++) {
    const times = { enqueuedAtMs: 1000, runAtMs: isScheduled(id) ? 5000 : 1000, expiresAtMs: 0 };
    table.publish(table.enqueue({ id, ...times, priority: 0, payloadBytes: 2 }, shapes[id % 3]!, id, 60));
  }
  return table;
}

function isScheduled(id: number): boolean {
  return id % 5 === 0;
}

/** Lets a job leave its state for another one or go, and brings one that has left it back. */
function change(table: JobTable, id: number, isGoing: boolean): void {
  const slot = table.ids.find(id);
  if (slot === NONE) return;
  const state = table.columns.state[slot];
  if (state === STATE.scheduled) table.runNow(slot, 2000, id);
  else if (state === STATE.leased) table.release(slot, table.tokenOf(slot), 2000, 2000, id);
  else if (isGoing) table.remove(slot);
  else {
    table.waiting.leave(slot, STATE.ready, table.shapeOf(slot).lane);
    table.columns.position[slot] = NONE;
    table.attempt(slot, ++lastToken, table.columns.attemptsOf(slot) + 1, id, LEASE);
  }
}

const meanwhile = fc.record({
  looks: fc.integer({ min: 0, max: 200 }),
  changes: fc.array(fc.tuple(fc.integer({ min: 1, max: JOBS }), fc.boolean()), { maxLength: 40 }),
});

describe('a choice of jobs', () => {
  it('is that of the moment when it was made, whatever changes while it is looked for', () => {
    fc.assert(
      fc.property(fc.array(meanwhile, { maxLength: 20 }), (pieces) => {
        const table = tableOf(JOBS);
        const choice = new JobChoice(table, READY_MAIL);
        for (const { looks, changes } of pieces) {
          if (!choice.isDone) choice.look(looks);
          for (const [id, isGoing] of changes) change(table, id, isGoing);
        }
        while (!choice.isDone) expect(choice.look(100)).toBeLessThanOrEqual(100);
        const expected = Array.from({ length: JOBS }, (_, index) => index + 1).filter(
          (id) => id % 3 !== 2 && !isScheduled(id),
        );
        expect([...choice.take()].sort((one, other) => one - other)).toEqual(expected);
      }),
      { numRuns: 100 },
    );
  });

  it('of very many jobs goes in pieces, and the act takes what was there when it was called', () => {
    const rig = new EngineRig({ completedKept: 10 });
    const count = 2 * ACT_SLICE_LOOKS + 200;
    const many = Array.from({ length: count / 4 }, () => ({}));
    for (let batch = 0; batch < 4; batch++) rig.enqueue(...many);
    const answer = newAnswer<ActOutcome>();
    rig.engine.act({ kind: 'cancel' }, { all: { state: 'ready' } }, { actor: 'olga' }, noteIn(answer));
    rig.engine.endTurn();
    expect(rig.engine.queues()[0]!.counts).toMatchObject({ ready: count, cancelled: 0 });
    const [claimed] = rig.claim({ limit: 1 });
    const [late] = rig.enqueue({});
    for (let turn = 0; turn < count && answer.called === 0; turn++) rig.advance(0);
    expect(answer.value).toEqual({ matched: count, done: count - 1, skipped: { leased: 1 } });
    expect(rig.ack(claimed!)).toEqual(['ok']);
    expect(rig.state(late!)).toBe('ready');
  });

  it('of several acts is that of the moment when each was called', () => {
    const rig = new EngineRig({ completedKept: 10 });
    const count = ACT_SLICE_LOOKS + 2;
    for (let batch = 0; batch < 2; batch++) rig.enqueue(...Array.from({ length: count / 2 }, () => ({})));
    const [removed, cancelled] = [newAnswer<ActOutcome>(), newAnswer<ActOutcome>()];
    const all = { all: { state: 'ready' as const } };
    rig.engine.act({ kind: 'remove' }, all, { actor: 'olga' }, noteIn(removed));
    rig.engine.act({ kind: 'cancel' }, all, { actor: 'olga' }, noteIn(cancelled));
    rig.settle();
    for (let turn = 0; turn < count && cancelled.called === 0; turn++) rig.advance(0);
    expect(removed.value).toEqual({ matched: count, done: count, skipped: {} });
    expect(cancelled.value).toEqual({ matched: count, done: 0, skipped: { missing: count } });
  });
});

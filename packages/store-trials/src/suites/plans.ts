import { expect } from 'vitest';
import type { OverRig } from './trial-rig.js';

const JOB = { queue: 'mail', name: 'send', payload: '{}' };
const BY = { actor: 'olga' };
const ALL = { state: 'ready' } as const;

/** What the conformance suite cannot ask of plans: it knows no transactions. */
export function exercisePlans<Transaction>(overRig: OverRig<Transaction>): void {
  overRig('a plan does not touch what was committed after it, whenever it was begun', async (rig) => {
    const store = await rig.open();
    const [before] = await store.enqueue([JOB]);
    // Both have their number before the plan; the later one commits first, so the plan sees it and not the earlier one.
    const [early, late] = [await rig.begin(), await rig.begin()];
    for (const { transaction } of [early, late]) await store.enqueue([JOB], { transaction });
    await late.commit();
    const plan = await store.plan({ all: ALL });
    expect(plan).toMatchObject({ matched: { value: 2, relation: 'exact' }, states: { ready: 2 } });
    const named = await store.plan({ all: { ...ALL, name: JOB.name } });
    expect(named).toMatchObject({ matched: { value: 2, relation: 'exact' }, states: { ready: 2 } });
    await early.commit();
    const [after] = await store.enqueue([JOB]);
    const outcome = await store.cancel({ all: ALL, asOf: plan.asOf, limit: 100 }, BY);
    expect(outcome).toEqual({ matched: 2, done: 2, skipped: {} });
    expect(await store.plan({ all: ALL })).toMatchObject({ matched: { value: 2 } });
    expect((await store.job(before?.id ?? ''))?.state).toBe('cancelled');
    expect((await store.job(after?.id ?? ''))?.state).toBe('ready');
  });

  overRig('a plan is none the poorer for transactions that were rolled back', async (rig) => {
    const store = await rig.open();
    for (let index = 0; index < 3; index++) {
      const { transaction, rollback } = await rig.begin();
      await store.enqueue([JOB], { transaction });
      await rollback();
      await store.enqueue([JOB]);
    }
    const { asOf, matched } = await store.plan({ all: ALL });
    expect(matched).toEqual({ value: 3, relation: 'exact' });
    expect(await store.cancel({ all: ALL, asOf, limit: 100 }, BY)).toEqual({ matched: 3, done: 3, skipped: {} });
  });

  overRig('a moment that has not been yet is refused', async (rig) => {
    const store = await rig.open();
    const { asOf } = await store.plan({ all: ALL });
    const [place, base] = asOf.split('.');
    const toCome = [place, base, 'zzzzzz', ''].join('.');
    await expect(store.cancel({ all: ALL, asOf: toCome, limit: 1 }, BY)).rejects.toThrow(
      /selection\.asOf.*what plan gave/,
    );
  });

  overRig('a moment that no plan writes so is refused, and is no failure of the database', async (rig) => {
    const store = await rig.open();
    await store.enqueue([JOB]);
    const [place, base] = (await store.plan({ all: ALL })).asOf.split('.');
    for (const moment of ['0.0.', '0.1.', `${base}.0.0`, '1.1.0-1', '1.2.1-0', '1.2.0-0']) {
      const call = store.cancel({ all: ALL, asOf: `${place}.${moment}`, limit: 1 }, BY);
      await expect(call, moment).rejects.toMatchObject({ code: 'INVALID_ARGUMENT', argument: 'selection.asOf' });
    }
    expect((await store.plan({ all: ALL })).matched.value).toBe(1);
  });
}

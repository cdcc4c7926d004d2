import type { ActOutcome, JobFilter, JobState, PlanRequest, SelectionPlan } from '@holdfast/contract';
import { CursorInvalidError, InvalidArgumentError } from '@holdfast/contract';
import { expect } from 'vitest';
import type { Bench } from '../bench.js';
import type { Rules } from '../rules.js';

const BY = { actor: 'olga', reason: 'the printer is back' };

async function planned(bench: Bench, jobs: PlanRequest, scanMax?: number): Promise<SelectionPlan> {
  const plan = bench.store.plan?.bind(bench.store) ?? bench.skip('plans nothing');
  return plan(jobs, scanMax === undefined ? {} : { scanMax });
}

/** Works off a planned act piece by piece. `between` is called after each. */
async function redriven(
  bench: Bench,
  all: JobFilter & { readonly state: JobState },
  asOf: string,
  limit: number,
  between: () => Promise<unknown> = async () => {},
): Promise<ActOutcome> {
  let done = 0;
  let matched = 0;
  let cursor: string | undefined;
  do {
    const piece = { all, asOf, limit, ...(cursor === undefined ? {} : { cursor }) };
    const outcome = await bench.store.redrive(piece, BY);
    expect(outcome.matched).toBeLessThanOrEqual(limit);
    done += outcome.done;
    matched += outcome.matched;
    cursor = outcome.next;
    await between();
  } while (cursor !== undefined);
  return { matched, done, skipped: {} };
}

async function deadJobs(bench: Bench, count: number, queue = 'mail'): Promise<string[]> {
  const ids: string[] = [];
  for (let n = 0; n < count; n++) ids.push(await bench.dead({ queue }));
  return ids;
}

export const planningRules: Rules = {
  async 'counts what an act would meet, by state and queue'(bench) {
    const dead = await deadJobs(bench, 2);
    await bench.dead({ queue: 'print' });
    const leased = await bench.leased({ queue: 'print' });
    expect(await planned(bench, { all: { state: 'dead' } })).toMatchObject({
      matched: { value: 3, relation: 'exact' },
      states: { dead: 3 },
      queues: [
        { queue: 'mail', count: 2 },
        { queue: 'print', count: 1 },
      ],
    });
    expect(await planned(bench, { all: { queue: 'print' } })).toMatchObject({
      matched: { value: 2, relation: 'exact' },
      states: { dead: 1, leased: 1 },
    });
    expect(await planned(bench, { all: { queue: 'mail', attemptsMin: 1 } })).toMatchObject({
      matched: { value: 2, relation: 'exact' },
      samples: dead.toReversed(),
    });
    const ids = [dead[0]!, leased.id, dead[0]!, 'unknown'];
    expect(await planned(bench, { ids })).toMatchObject({
      matched: { value: 3, relation: 'exact' },
      states: { dead: 1, leased: 1, missing: 1 },
    });
    expect(await planned(bench, { all: { queue: 'nobody' } })).toMatchObject({
      matched: { value: 0, relation: 'exact' },
      states: {},
      queues: [],
      samples: [],
    });
  },

  async 'says so where it has not looked at all'(bench) {
    await bench.enqueue(...Array.from({ length: 9 }, () => ({})));
    const { matched } = await planned(bench, { all: { enqueuedFromMs: 0 } }, 4);
    expect(matched.relation).toBe('atLeast');
    expect(matched.value).toBeLessThanOrEqual(4);
  },

  async 'does exactly what was planned, in pieces of any size'(bench) {
    for (const limit of [1, 4, 1000]) {
      const ids = await deadJobs(bench, 9);
      const { asOf, matched } = await planned(bench, { all: { state: 'dead' } });
      expect(matched).toEqual({ value: 9, relation: 'exact' });
      expect(await redriven(bench, { state: 'dead' }, asOf, limit)).toMatchObject({ matched: 9, done: 9 });
      for (const id of ids) expect(await bench.state(id)).toBe('ready');
      expect((await bench.job(ids[0]!)).acts).toMatchObject([{ act: 'redrive', ...BY }]);
      await bench.store.remove({ ids }, BY);
    }
  },

  async 'never touches a job that came into the state after the plan'(bench) {
    const ids = await deadJobs(bench, 6);
    const { asOf } = await planned(bench, { all: { state: 'dead' } });
    const late = await bench.dead();
    // One of the plan goes, comes back, and is another matter then.
    const back = ids[2]!;
    await bench.store.redrive({ ids: [back] }, BY);
    await bench.fail(await bench.claimOne(), 'dead');
    const later: string[] = [];
    const outcome = await redriven(bench, { state: 'dead' }, asOf, 2, async () => {
      later.push(await bench.dead({ queue: 'print' }));
    });
    expect(later.length).toBeGreaterThan(1);
    for (const id of later) expect(await bench.state(id)).toBe('dead');
    expect(outcome).toMatchObject({ matched: 5, done: 5 });
    expect(await bench.state(late)).toBe('dead');
    expect(await bench.state(back)).toBe('dead');
  },

  async 'leaves alone what was enqueued, became due or was replaced after the plan'(bench) {
    const before = await bench.add();
    const due = await bench.add({ delayMs: 1000 });
    const replaced = await bench.add({ dedupe: { key: 'k' } });
    const { asOf } = await planned(bench, { all: { state: 'ready' } });
    const after = await bench.add();
    await bench.enqueue({ dedupe: { key: 'k', onConflict: 'replace' } });
    await bench.eventually(async () => expect(await bench.state(due)).toBe('ready'));
    const outcome = await bench.store.cancel({ all: { state: 'ready' }, asOf, limit: 100 }, BY);
    expect(outcome).toEqual({ matched: 1, done: 1, skipped: {} });
    expect(await bench.state(before)).toBe('cancelled');
    for (const id of [due, replaced, after]) expect(await bench.state(id)).toBe('ready');
  },

  async 'holds across a restart'(bench) {
    const ids = await deadJobs(bench, 3);
    const { asOf } = await planned(bench, { all: { state: 'dead' } });
    await bench.reopen('killed');
    const late = await bench.dead();
    expect(await redriven(bench, { state: 'dead' }, asOf, 2)).toMatchObject({ matched: 3, done: 3 });
    expect(await bench.state(late)).toBe('dead');
    for (const id of ids) expect(await bench.state(id)).toBe('ready');
  },

  async 'takes any filter for a piece'(bench) {
    const leased = await bench.leased();
    await bench.fail(leased, 'dead', { class: 'RangeError', message: 'far' });
    const other = await bench.dead();
    const { asOf, matched } = await planned(bench, { all: { state: 'dead', errorClass: 'RangeError' } });
    expect(matched).toEqual({ value: 1, relation: 'exact' });
    const all = { state: 'dead', errorClass: 'RangeError' } as const;
    expect(await redriven(bench, all, asOf, 10)).toMatchObject({ done: 1 });
    expect(await bench.state(other)).toBe('dead');
  },

  async 'refuses a plan and a cursor that it did not give out'(bench) {
    await bench.dead();
    const { asOf } = await planned(bench, { all: { state: 'dead' } });
    const all = { state: 'dead' } as const;
    for (const wrong of ['x', '-1', `${asOf}!`]) {
      await expect(bench.store.redrive({ all, asOf: wrong, limit: 1 }, BY)).rejects.toThrow(InvalidArgumentError);
    }
    await expect(bench.store.redrive({ all, asOf, limit: 1, cursor: 'x' }, BY)).rejects.toThrow(CursorInvalidError);
    await expect(bench.store.redrive({ all, asOf, limit: 0 }, BY)).rejects.toThrow(/selection\.limit is 0/);
    expect((await bench.store.browse({ state: 'dead' }, { limit: 5 })).total.value).toBe(1);
  },
};

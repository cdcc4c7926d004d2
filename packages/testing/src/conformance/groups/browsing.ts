import { CursorInvalidError, type JobFilter } from '@holdfast/contract';
import { expect } from 'vitest';
import { type Bench, present } from '../bench.js';
import type { Rules } from '../rules.js';

/** All rows of a filter, page by page. `between` is called after each page. */
async function allIds(
  bench: Bench,
  filter: JobFilter,
  limit: number,
  between: () => Promise<unknown> = async () => {},
): Promise<string[]> {
  const ids: string[] = [];
  let cursor: string | undefined;
  do {
    const page = await bench.store.browse(filter, cursor === undefined ? { limit } : { limit, cursor });
    expect(page.rows.length).toBeLessThanOrEqual(limit);
    ids.push(...page.rows.map(({ id }) => id));
    cursor = page.next;
    await between();
  } while (cursor !== undefined);
  return ids;
}

export const browsingRules: Rules = {
  async 'lists the newest first'(bench) {
    const ids = (await bench.enqueue({}, { priority: 5 }, {})).map(({ id }) => id);
    const { rows, total, ...rest } = await bench.store.browse({}, { limit: 10 });
    expect(rows.map(({ id }) => id)).toEqual(ids.toReversed());
    expect(total).toEqual({ value: 3, relation: 'exact' });
    expect(rest).toEqual({});
  },

  async 'lists nothing where nothing matches'(bench) {
    const nothing = { rows: [], total: { value: 0, relation: 'exact' } };
    expect(await bench.store.browse({}, { limit: 10 })).toEqual(nothing);
    await bench.add();
    expect(await bench.store.browse({ queue: 'nobody' }, { limit: 10 })).toEqual(nothing);
    expect(await bench.store.browse({ state: 'dead' }, { limit: 10 })).toEqual(nothing);
  },

  async 'shows what a job is, without what it carries'(bench) {
    const id = await bench.add({ payload: 'née', priority: 2, maxAttempts: 7, name: 'bounce' });
    const [row] = (await bench.store.browse({}, { limit: 1 })).rows;
    const { enqueuedAtMs } = await bench.job(id);
    expect(row).toEqual({
      id,
      queue: 'mail',
      name: 'bounce',
      state: 'ready',
      priority: 2,
      attempts: 0,
      maxAttempts: 7,
      enqueuedAtMs,
      runAtMs: enqueuedAtMs,
      updatedAtMs: enqueuedAtMs,
      payloadBytes: 4,
    });
  },

  async 'finds by state, queue and name, alone and together'(bench) {
    const dead = await bench.dead({ queue: 'mail', name: 'send' });
    const done = await bench.leased({ queue: 'mail', name: 'bounce' });
    await bench.ack(done);
    const scheduled = await bench.add({ queue: 'print', name: 'send', delayMs: 60_000 });
    const ready = await bench.add({ queue: 'print', name: 'bounce' });
    const leased = await bench.leased({ queue: 'video' });
    const found = async (filter: JobFilter) => (await allIds(bench, filter, 50)).toReversed();
    expect(await found({ state: 'dead' })).toEqual([dead]);
    expect(await found({ state: 'completed' })).toEqual([done.id]);
    expect(await found({ state: 'scheduled' })).toEqual([scheduled]);
    expect(await found({ state: 'ready' })).toEqual([ready]);
    expect(await found({ state: 'leased' })).toEqual([leased.id]);
    expect(await found({ state: 'cancelled' })).toEqual([]);
    expect(await found({ queue: 'mail' })).toEqual([dead, done.id]);
    expect(await found({ name: 'send' })).toEqual([dead, scheduled, leased.id]);
    expect(await found({ queue: 'mail', name: 'send' })).toEqual([dead]);
    expect(await found({ queue: 'print', state: 'ready', name: 'bounce' })).toEqual([ready]);
    expect(await found({ queue: 'print', state: 'dead' })).toEqual([]);
  },

  async 'gives every job on exactly one page, whatever the size of pages'(bench) {
    const ids = (await bench.enqueue(...Array.from({ length: 23 }, () => ({})))).map(({ id }) => id).toReversed();
    for (const limit of [1, 5, 22, 23, 24, 200]) expect(await allIds(bench, {}, limit)).toEqual(ids);
  },

  async 'says how many match in all on every page'(bench) {
    await bench.enqueue(...Array.from({ length: 7 }, () => ({})));
    await bench.enqueue(...Array.from({ length: 4 }, () => ({ queue: 'print' })));
    const first = await bench.store.browse({ queue: 'mail' }, { limit: 3 });
    const second = await bench.store.browse({ queue: 'mail' }, { limit: 3, cursor: present(first.next) });
    for (const { total } of [first, second]) {
      if (total.relation === 'exact') expect(total.value).toBe(7);
      else expect(total.value).toBeLessThanOrEqual(7);
    }
  },

  async 'neither skips nor repeats jobs that did not change, while others come and go'(bench) {
    const ids = (await bench.enqueue(...Array.from({ length: 30 }, () => ({})))).map(({ id }) => id).toReversed();
    const moving = new Set((await bench.claim({ limit: 10 })).map(({ id }) => id));
    const leases = await bench.store.leases(10);
    const seen = await allIds(bench, {}, 4, async () => {
      await bench.enqueue({}, {});
      const lease = leases.pop();
      if (lease !== undefined) await (leases.length % 2 === 0 ? bench.ack(lease) : bench.fail(lease));
    });
    expect(new Set(seen).size).toBe(seen.length);
    const still = (list: readonly string[]) => list.filter((id) => ids.includes(id) && !moving.has(id));
    expect(still(seen)).toEqual(still(ids));
  },

  async 'neither skips nor repeats dead jobs while they are redriven'(bench) {
    const ids: string[] = [];
    for (let count = 0; count < 12; count++) ids.unshift(await bench.dead());
    const seen: string[] = [];
    let cursor: string | undefined;
    do {
      const page = await bench.store.browse(
        { state: 'dead' },
        cursor === undefined ? { limit: 5 } : { limit: 5, cursor },
      );
      seen.push(...page.rows.map(({ id }) => id));
      await bench.store.redrive({ ids: page.rows.map(({ id }) => id) }, { actor: 'olga' });
      cursor = page.next;
    } while (cursor !== undefined);
    expect(seen).toEqual(ids);
  },

  async 'refuses a cursor that it did not give out'(bench) {
    await bench.enqueue({}, {}, {});
    for (const cursor of ['', 'x', '-1', '0', '%', "' or 1=1 --", '\u0000', 'x'.repeat(10_000)]) {
      await expect(bench.store.browse({}, { limit: 1, cursor }), cursor.slice(0, 9)).rejects.toThrow(
        CursorInvalidError,
      );
    }
  },
};

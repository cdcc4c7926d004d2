import type { JobFilter } from '@holdfast/contract';
import { expect } from 'vitest';
import { type Bench, present } from '../bench.js';
import type { Rules } from '../rules.js';

/** All ids that a search finds, oldest first, and how many jobs it looked at. */
async function search(bench: Bench, filter: JobFilter, scanMax = 1000, limit = 3) {
  const ids: string[] = [];
  let scanned = 0;
  let cursor: string | undefined;
  do {
    const page = await bench.store.browse(filter, { limit, scanMax, ...(cursor === undefined ? {} : { cursor }) });
    expect(page.rows.length).toBeLessThanOrEqual(limit);
    expect(page.scan?.scanned).toBeLessThanOrEqual(scanMax);
    expect(page.scan?.exhausted).toBe(page.next === undefined);
    ids.unshift(...page.rows.map(({ id }) => id).toReversed());
    scanned += page.scan?.scanned ?? 0;
    cursor = page.next;
  } while (cursor !== undefined);
  return { ids, scanned };
}

async function found(bench: Bench, filter: JobFilter): Promise<string[]> {
  return (await search(bench, filter)).ids;
}

async function deadOf(bench: Bench, error: { class: string; message: string }, queue = 'mail'): Promise<string> {
  const leased = await bench.leased({ queue });
  await bench.fail(leased, 'dead', error);
  return leased.id;
}

export const searchingRules: Rules = {
  async 'finds a job by its id, or by how it begins'(bench) {
    const ids = (await bench.enqueue({}, {}, {})).map(({ id }) => id);
    const [first] = ids;
    expect(await found(bench, { id: present(first) })).toEqual([first]);
    expect(await found(bench, { id: present(first).slice(0, 3) })).toEqual(ids);
    expect(await found(bench, { id: 'nothing like it' })).toEqual([]);
  },

  async 'finds dead jobs and those that wait for a retry by class and text of their last error'(bench) {
    const typed = await deadOf(bench, { class: 'TypeError', message: 'Mailbox 7 is full' });
    const ranged = await deadOf(bench, { class: 'RangeError', message: 'too far' });
    const retrying = await bench.leased();
    await bench.fail(retrying, 60_000, { class: 'TypeError', message: 'MAILBOX is gone' });
    await bench.add();
    expect(await found(bench, { errorClass: 'TypeError' })).toEqual([typed, retrying.id]);
    expect(await found(bench, { errorClass: 'TypeError', state: 'dead' })).toEqual([typed]);
    expect(await found(bench, { errorText: 'mailbox' })).toEqual([typed, retrying.id]);
    expect(await found(bench, { errorText: 'FAR' })).toEqual([ranged]);
    expect(await found(bench, { errorClass: 'RangeError', errorText: 'mailbox' })).toEqual([]);
  },

  async 'finds by attempts and by times'(bench) {
    const early = await bench.leased();
    await bench.fail(early, 60_000);
    await bench.time.advance(20);
    const late = await bench.add();
    const { enqueuedAtMs } = await bench.job(late);
    expect(await found(bench, { attemptsMin: 1 })).toEqual([early.id]);
    expect(await found(bench, { attemptsMin: 2 })).toEqual([]);
    expect(await found(bench, { enqueuedFromMs: enqueuedAtMs })).toEqual([late]);
    expect(await found(bench, { enqueuedBeforeMs: enqueuedAtMs })).toEqual([early.id]);
    expect(await found(bench, { updatedFromMs: enqueuedAtMs })).toEqual([late]);
    expect(await found(bench, { updatedBeforeMs: enqueuedAtMs })).toEqual([early.id]);
  },

  async 'finds by a field of the payload'(bench) {
    const add = (value: unknown) => bench.add({ payload: JSON.stringify(value) });
    const text = await add({ user: { id: '42', name: 'née "x"' }, lines: [{ sku: 'a' }, { sku: 'b' }] });
    const number = await add({ user: { id: 42, ok: true, gone: null } });
    await add({ user: [42] });
    await bench.add({ payload: 'no JSON: 42' });
    await bench.add({ payload: Uint8Array.of(52, 50) });
    const by = (path: string, value: string) => found(bench, { payload: { path, value } });
    expect(await by('user.id', '42')).toEqual([text, number]);
    expect(await by('user.name', 'née "x"')).toEqual([text]);
    expect(await by('lines.1.sku', 'b')).toEqual([text]);
    expect(await by('user.ok', 'true')).toEqual([number]);
    expect(await by('user.gone', 'null')).toEqual([number]);
    expect(await by('user', '42')).toEqual([]);
    expect(await by('user.constructor', '42')).toEqual([]);
  },

  async 'looks at so many jobs and goes on there, and finds each once'(bench) {
    const ids: string[] = [];
    for (let n = 0; n < 24; n++) ids.push(await bench.add({ payload: JSON.stringify({ odd: n % 3 === 0 }) }));
    const wanted = ids.filter((_, n) => n % 3 === 0);
    for (const scanMax of [1, 5, 24, 100]) {
      const filter: JobFilter = { payload: { path: 'odd', value: 'true' } };
      expect((await search(bench, filter, scanMax)).ids).toEqual(wanted);
    }
    const first = await bench.store.browse({ attemptsMin: 1 }, { limit: 5, scanMax: 10 });
    expect(first.rows).toEqual([]);
    expect(first.scan).toEqual({ scanned: 10, exhausted: false });
    expect(first.total).toEqual({ value: 0, relation: 'atLeast' });
    const whole = await bench.store.browse({ attemptsMin: 0 }, { limit: 50 });
    expect(whole.total).toEqual({ value: 24, relation: 'exact' });
    expect(whole.scan).toEqual({ scanned: 24, exhausted: true });
  },

  async 'neither skips nor repeats what did not change while others come and go'(bench) {
    const ids = (await bench.enqueue(...Array.from({ length: 20 }, () => ({})))).map(({ id }) => id);
    const moving = new Set((await bench.claim({ limit: 6 })).map(({ id }) => id));
    const seen: string[] = [];
    let cursor: string | undefined;
    do {
      const page = await bench.store.browse(
        { state: 'ready', enqueuedFromMs: 0 },
        { limit: 3, ...(cursor === undefined ? {} : { cursor }) },
      );
      seen.unshift(...page.rows.map(({ id }) => id).toReversed());
      await bench.enqueue({});
      for (const lease of await bench.store.leases(1)) await bench.release(lease);
      cursor = page.next;
    } while (cursor !== undefined && seen.length < 40);
    expect(new Set(seen).size).toBe(seen.length);
    const still = (list: readonly string[]) => list.filter((id) => ids.includes(id) && !moving.has(id));
    expect(still(seen)).toEqual(still(ids));
  },

  async 'shows and finds jobs of its own queues only by name'(bench) {
    const own = await bench.add({ queue: 'holdfast.notes' });
    const other = await bench.add();
    const rows = (await bench.store.browse({}, { limit: 10 })).rows.map(({ id }) => id);
    expect(rows).toEqual([other]);
    expect((await bench.store.browse({}, { limit: 10 })).total.value).toBe(1);
    expect(await found(bench, { id: own })).toEqual([]);
    expect(await found(bench, { id: own, queue: 'holdfast.notes' })).toEqual([own]);
    const by = { actor: 'olga' };
    expect(await bench.store.cancel({ all: { state: 'ready' } }, by)).toEqual({ matched: 1, done: 1, skipped: {} });
    expect(await bench.state(own)).toBe('ready');
  },

  async 'says how many are handed out before a job'(bench) {
    const last = await bench.add({ priority: 9 });
    await bench.add({ queue: 'print' });
    await bench.enqueue({ priority: 1, name: 'bounce' }, { priority: 9 }, { priority: 0 });
    const { ahead, state } = await bench.job(last);
    if (ahead === undefined) expect(state).toBe('ready');
    else expect(ahead).toEqual({ value: 2, relation: 'exact' });
    expect(await bench.job((await bench.leased({ queue: 'video' })).id)).not.toHaveProperty('ahead');
  },

  async 'knows who claims'(bench) {
    const workers = bench.store.workers?.bind(bench.store);
    if (workers === undefined) return bench.skip('does not know its workers');
    await bench.leased({}, { worker: 'w2', limit: 1 });
    await bench.claim({ queues: ['print'], worker: 'w1', limit: 7, names: ['a', 'b'] });
    const seen = await workers();
    expect(seen).toMatchObject([
      { name: 'w1', queues: ['print'], names: ['a', 'b'], busy: 0, free: 7, waiting: false },
      { name: 'w2', queues: ['mail'], busy: 1 },
    ]);
    expect(seen[1]).not.toHaveProperty('names');
  },
};

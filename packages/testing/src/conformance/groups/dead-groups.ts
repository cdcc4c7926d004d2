import { CursorInvalidError, type DeadGroupFilter, type JobError } from '@holdfast/contract';
import { errorKind } from '@holdfast/contract/rules';
import { expect } from 'vitest';
import { type Bench, present } from '../bench.js';
import type { Rules } from '../rules.js';

const FULL: JobError = {
  class: 'TypeError',
  message: 'mailbox 7 is full',
  stack: 'TypeError\n    at send (/app/src/mail.js:3:1)',
};
const FULL_TOO: JobError = { ...FULL, message: 'mailbox 12 is full' };
const GONE: JobError = { class: 'RangeError', message: '' };
const BY = { actor: 'olga' };

async function dead(bench: Bench, error: JobError, queue = 'mail', name = 'send'): Promise<string> {
  const leased = await bench.leased({ queue, name });
  await bench.fail(leased, 'dead', error);
  return leased.id;
}

async function groups(bench: Bench, filter: DeadGroupFilter = {}, limit = 50, cursor?: string) {
  const list = bench.store.deadGroups?.bind(bench.store) ?? bench.skip('does not group dead jobs');
  return list(filter, { limit, ...(cursor === undefined ? {} : { cursor }) });
}

export const deadGroupRules: Rules = {
  async 'puts dead jobs of one cause together'(bench) {
    expect(await groups(bench)).toEqual({ groups: [], total: { value: 0, relation: 'exact' } });
    const first = await dead(bench, FULL);
    const gone = await dead(bench, GONE);
    const second = await dead(bench, FULL_TOO, 'print', 'bounce');
    const page = await groups(bench);
    expect(page.total).toEqual({ value: 2, relation: 'exact' });
    expect(page.groups).toMatchObject([
      {
        ...errorKind(FULL),
        message: 'mailbox <number> is full',
        frame: 'send src/mail.js',
        count: 2,
        samples: [second, first],
        firstDeadAtMs: (await bench.job(first)).updatedAtMs,
        lastDeadAtMs: (await bench.job(second)).updatedAtMs,
      },
      { ...errorKind(GONE), count: 1, samples: [gone] },
    ]);
    expect(page.groups[0]?.queues).toEqual(
      expect.arrayContaining([
        { queue: 'mail', count: 1 },
        { queue: 'print', count: 1 },
      ]),
    );
    expect(page.groups[0]?.names).toEqual(
      expect.arrayContaining([
        { name: 'send', count: 1 },
        { name: 'bounce', count: 1 },
      ]),
    );
  },

  async 'finds groups by queue, name, class and text'(bench) {
    await dead(bench, FULL);
    await dead(bench, FULL, 'print', 'bounce');
    await dead(bench, GONE);
    const counts = async (filter: DeadGroupFilter) =>
      (await groups(bench, filter)).groups.map(({ errorClass, count }) => [errorClass, count]).sort();
    expect(await counts({ queue: 'print' })).toEqual([['TypeError', 1]]);
    expect(await counts({ name: 'send' })).toEqual([
      ['RangeError', 1],
      ['TypeError', 1],
    ]);
    expect(await counts({ errorClass: 'RangeError' })).toEqual([['RangeError', 1]]);
    expect(await counts({ text: 'MAIL.js' })).toEqual([['TypeError', 2]]);
    expect(await counts({ text: 'nothing' })).toEqual([]);
  },

  async 'finds groups that are new, however few their jobs are'(bench) {
    await dead(bench, FULL);
    await dead(bench, FULL, 'print');
    await bench.time.advance(1000);
    const gone = await bench.job(await dead(bench, GONE));
    await dead(bench, FULL_TOO, 'print');
    const since = async (firstDeadFromMs: number, more: DeadGroupFilter = {}) => {
      const page = await groups(bench, { firstDeadFromMs, ...more }, 1);
      return [page.groups.map(({ errorClass }) => errorClass), page.total.value];
    };
    expect(await since(0)).toEqual([['TypeError'], 2]);
    expect(await since(gone.updatedAtMs)).toEqual([['RangeError'], 1]);
    expect(await since(gone.updatedAtMs, { queue: 'print' })).toEqual([[], 0]);
    expect(await since(gone.updatedAtMs + 60_000)).toEqual([[], 0]);
  },

  async 'lists the jobs of a group, and knows how many they are'(bench) {
    const ids = [await dead(bench, FULL), await dead(bench, FULL_TOO)];
    await dead(bench, GONE);
    await groups(bench);
    const { fingerprint } = errorKind(FULL);
    const page = await bench.store.browse({ errorFingerprint: fingerprint }, { limit: 50 });
    expect(page.rows.map(({ id }) => id)).toEqual(ids.toReversed());
    expect(page.total).toEqual({ value: 2, relation: 'exact' });
    expect((await bench.store.browse({ errorFingerprint: '1-0' }, { limit: 5 })).rows).toEqual([]);
  },

  async 'forgets what is redriven or removed, and counts what dies again'(bench) {
    const [one, two] = [await dead(bench, FULL), await dead(bench, FULL)];
    await groups(bench);
    await bench.store.redrive({ ids: [one] }, BY);
    expect((await groups(bench)).groups).toMatchObject([{ count: 1, samples: [two] }]);
    await bench.store.remove({ ids: [two] }, BY);
    expect((await groups(bench)).groups).toEqual([]);
    await bench.fail(await bench.claimOne(), 'dead', GONE);
    expect((await groups(bench)).groups).toMatchObject([{ errorClass: 'RangeError', count: 1, samples: [one] }]);
  },

  async 'gives every group on one page'(bench) {
    for (let n = 0; n < 5; n++)
      for (let times = 0; times <= n % 2; times++) await dead(bench, { ...GONE, class: `E${n}` });
    const seen: string[] = [];
    let cursor: string | undefined;
    do {
      const page = await groups(bench, {}, 2, cursor);
      seen.push(...page.groups.map(({ errorClass, count }) => `${errorClass} ${count}`));
      cursor = page.next;
    } while (cursor !== undefined);
    expect(seen.toSorted()).toEqual(['E0 1', 'E1 2', 'E2 1', 'E3 2', 'E4 1']);
    expect(seen.slice(0, 2).toSorted()).toEqual(['E1 2', 'E3 2']);
  },

  async 'goes on behind the last group of a page, though that is gone meanwhile'(bench) {
    for (let n = 0; n < 3; n++) for (let times = 0; times <= n; times++) await dead(bench, { ...GONE, class: `E${n}` });
    const first = await groups(bench, {}, 2);
    expect(first.groups.map(({ errorClass }) => errorClass)).toEqual(['E2', 'E1']);
    await bench.store.remove({ ids: present(first.groups[1]).samples }, BY);
    const second = await groups(bench, {}, 2, present(first.next));
    expect(second.groups.map(({ errorClass }) => errorClass)).toEqual(['E0']);
    expect(second.next).toBeUndefined();
  },

  async 'refuses a cursor that it did not give out'(bench) {
    for (const cursor of ['', 'x', '-1', '1', '1.', '.1', '%', "' or 1=1 --", '\u0000', 'x'.repeat(10_000)]) {
      await expect(groups(bench, {}, 1, cursor), cursor.slice(0, 9)).rejects.toThrow(CursorInvalidError);
    }
  },

  async 'knows them after a restart'(bench) {
    const one = await dead(bench, FULL);
    await dead(bench, FULL_TOO);
    await dead(bench, GONE, 'keeps two');
    await groups(bench);
    await bench.store.redrive({ ids: [one] }, BY);
    for (const how of ['closed', 'killed'] as const) {
      await bench.reopen(how);
      expect((await groups(bench)).groups.map(({ errorClass, count }) => [errorClass, count]).sort()).toEqual([
        ['RangeError', 1],
        ['TypeError', 1],
      ]);
    }
  },
};

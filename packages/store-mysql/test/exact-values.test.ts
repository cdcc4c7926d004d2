import { formatToken } from '@holdfast/contract/rules';
import { inSchema } from '@holdfast/sql-store';
import { expect } from 'vitest';
import { insertNumbered } from '../src/insert-rows.js';
import { sql } from '../src/sql-text.js';
import { rigTests } from './test-database.js';

const JOB = { queue: 'mail', name: 'send', payload: '{}' };
const CLAIM = { queues: ['mail'], limit: 10, leaseMs: 60_000, worker: 'one' };
const BY = { actor: 'olga' };
const LARGEST = Number.MAX_SAFE_INTEGER;

const overRig = rigTests();

overRig('times up to the last one that JavaScript has are exact', async (rig) => {
  const store = await rig.open();
  const runAtMs = 8_640_000_000_000_000 - 1;
  const [enqueued] = await store.enqueue([{ ...JOB, runAtMs, priority: 4_294_967_295, maxAttempts: 4_294_967_294 }]);
  expect(await store.job(enqueued?.id ?? '')).toMatchObject({
    runAtMs,
    priority: 4_294_967_295,
    maxAttempts: 4_294_967_294,
  });
  await store.runNow({ ids: [enqueued?.id ?? ''] }, BY);
  expect(await store.claim(CLAIM)).toMatchObject([{ priority: 4_294_967_295, maxAttempts: 4_294_967_294 }]);
});

overRig('texts and bytes come back as they were, whatever the language would make of them', async (rig) => {
  const store = await rig.open();
  const texts = [
    '😀𝒳\u0000\u0001\u001a',
    `'; drop table hf.job; -- \\ " \\' ? ?? :name %now hf.job \``,
    '\r\n\t\b\v',
    ' ends with blanks  ',
  ];
  const bytes = Uint8Array.from({ length: 512 }, (_, index) => index % 256);
  const payloads = [...texts, bytes];
  await store.enqueue(payloads.map((payload) => ({ ...JOB, payload, headers: { note: '😀' } })));
  const jobs = await store.claim({ ...CLAIM, worker: texts[1] ?? '' });
  expect(jobs.map(({ payload }) => payload)).toEqual(payloads);
  expect(jobs[0]?.headers).toEqual({ note: '😀' });
  const results = payloads.toReversed();
  await store.ack(jobs.map(({ id, token }, index) => ({ id, token, result: results[index] ?? '' })));
  const found = await Promise.all(jobs.map(({ id }) => store.job(id)));
  expect(found.map((job) => job?.result)).toEqual(results);
  expect(found[0]?.attemptLog).toMatchObject([{ worker: texts[1] }]);
});

overRig('names that differ in case, accents, blanks, width or planes are different queues and keys', async (rig) => {
  const store = await rig.open();
  const names = ['a', 'A', 'á', 'a ', 'a\u0000', 'ａ', '😀', '😁', 'ß', 'ss'];
  await store.enqueue(names.map((queue) => ({ ...JOB, queue })));
  expect((await store.queues()).map(({ name }) => name).sort()).toEqual(names.toSorted());
  const keyed = await store.enqueue(names.map((key) => ({ ...JOB, dedupe: { key } })));
  expect(new Set(keyed.map(({ outcome }) => outcome))).toEqual(new Set(['created']));
  for (const name of names) expect(await store.claim({ ...CLAIM, queues: [name] })).toMatchObject([{ queue: name }]);
});

overRig('the largest call is stored, in pieces that any server takes', async (rig) => {
  const store = await rig.open();
  const payload = new Uint8Array(1024 * 1024).fill(39);
  expect(await store.enqueue(Array.from({ length: 16 }, () => ({ ...JOB, payload })))).toHaveLength(16);
  const [job] = await store.claim({ ...CLAIM, limit: 1 });
  expect(Buffer.compare(Buffer.from(job?.payload ?? ''), payload)).toBe(0);
});

overRig('where a cluster leaves numbers out, every job is told its own', async (rig) => {
  await rig.open();
  await rig.connected(async (ask) => {
    await ask('set session auto_increment_increment = 7, auto_increment_offset = 3');
    const work = {
      now: sql`0`,
      random: { fraction: () => 0, bytes: (count: number) => new Uint8Array(count) },
      rows: <Row>({ text, values }: { text: string; values: readonly unknown[] }) =>
        ask<Row>(inSchema(text, rig.schema), values as (string | number)[]),
    };
    const rows = [1, 2, 3].map((queue_id) => ({ number: queue_id, act: 'clone', at_ms: 0, actor: String(queue_id) }));
    const ids = await insertNumbered(work, 'hf.act', rows);
    const stored = await ask<{ id: number }>(`select id from ${rig.schema}.act order by number`);
    expect(ids).toEqual(stored.map(({ id }) => id));
    expect((ids[1] ?? 0) - (ids[0] ?? 0)).toBe(7);
  });
});

/** The last one: the server goes on behind the numbers that it is told. */
overRig('numbers of jobs and tokens are exact up to the largest whole number', async (rig) => {
  const store = await rig.open();
  await rig.query(`alter table ${rig.schema}.job auto_increment = 999999999999990`);
  await rig.query(`alter table ${rig.schema}.lease auto_increment = ${LARGEST - 3}`);
  const enqueued = await store.enqueue([JOB, JOB, JOB]);
  const numbers = enqueued.map(({ id }) => Number.parseInt(id.slice(id.indexOf('-') + 1), 36));
  expect(numbers).toEqual([999999999999990, 999999999999991, 999999999999992]);
  const jobs = await store.claim(CLAIM);
  expect(jobs.map(({ token }) => token)).toEqual([LARGEST - 3, LARGEST - 2, LARGEST - 1].map(formatToken));
  expect(jobs.map(({ id }) => id)).toEqual(enqueued.map(({ id }) => id));
  expect(await store.ack(jobs.map(({ id, token }) => ({ id, token })))).toEqual(['ok', 'ok', 'ok']);
});

import { errorKind } from '@holdfast/contract/rules';
import { expect, it } from 'vitest';
import { findTestDatabase, MysqlRig, NO_DATABASE } from './test-database.js';

const JOB = { queue: 'mail', name: 'send', payload: '{}', maxAttempts: 1 };
const CLAIM = { queues: ['mail'], limit: 10, leaseMs: 60_000, worker: 'one' };
const FULL = { class: 'TypeError', message: 'mailbox 7 is full' };
const GONE = { class: 'RangeError', message: 'gone' };

const database = await findTestDatabase();

it('a kind of error is kept as long as a job died of it, whoever cleans up', async (context) => {
  if (database === undefined) return context.skip(NO_DATABASE);
  const rig = new MysqlRig(database.url, { sweepMs: 60_000 });
  const kinds = async () =>
    (await rig.query<{ kind: string }>(`select kind from ${rig.schema}.death_kind order by kind`)).map(
      ({ kind }) => kind,
    );
  try {
    const store = await rig.open();
    await store.enqueue([JOB, JOB, JOB]);
    const jobs = await store.claim(CLAIM);
    const errors = [FULL, { ...FULL, message: 'mailbox 12 is full' }, GONE];
    // biome-ignore lint/suspicious/noThenProperty: a word of the contract, never awaited
    const items = jobs.map(({ id, token }, index) => ({ id, token, error: errors[index]!, then: 'backoff' as const }));
    expect(await store.fail(items)).toEqual(['ok', 'ok', 'ok']);
    expect((await store.deadGroups({}, { limit: 10 })).groups).toMatchObject([{ count: 2 }, { count: 1 }]);
    expect(await kinds()).toEqual([errorKind(FULL).fingerprint, errorKind(GONE).fingerprint].sort());
    await store.remove({ ids: jobs.slice(1).map(({ id }) => id) }, { actor: 'olga' });
    // Each cleans up when it sweeps for the first time.
    await (await rig.open()).sweepNow();
    expect(await kinds()).toEqual([errorKind(FULL).fingerprint]);
    expect((await store.deadGroups({}, { limit: 10 })).groups).toMatchObject([{ count: 1, samples: [jobs[0]?.id] }]);
    await store.redrive({ all: { state: 'dead' } }, { actor: 'olga' });
    expect((await store.deadGroups({}, { limit: 10 })).groups).toEqual([]);
  } finally {
    await rig.close();
  }
});

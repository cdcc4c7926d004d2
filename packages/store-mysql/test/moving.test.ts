import process from 'node:process';
import { exerciseMoving } from '@holdfast/store-trials/suites';
import { expect, it, vi } from 'vitest';
import { movableMysqlStore } from '../src/moving.js';
import { findTestDatabase, MysqlRig, NO_DATABASE } from './test-database.js';

const database = await findTestDatabase();

function overRigs(name: string, test: (source: MysqlRig, target: MysqlRig) => Promise<void>): void {
  it(name, async (context) => {
    if (database === undefined) return context.skip(NO_DATABASE);
    const rigs = [new MysqlRig(database.url), new MysqlRig(database.url)] as const;
    try {
      await test(...rigs);
    } finally {
      for (const rig of rigs) await rig.close();
    }
  });
}

/** Ends the connection that holds the tables of the schema. */
async function endHolder(rig: MysqlRig): Promise<void> {
  const [holder] = await rig.query<{ id: number }>(`select is_used_lock('hf:${rig.schema}:move') as id`);
  await rig.query(`kill ${holder?.id}`);
}

overRigs('says what a user lacks that may not lock the tables of a source', async (rig) => {
  const url = new URL(rig.url);
  url.username = `hf_${process.pid}`;
  url.password = 'secret';
  await (await rig.open()).close();
  await rig.query(`create user ${url.username}@'%' identified by 'secret'`);
  const store = movableMysqlStore({ connectionString: url.href, schema: rig.schema });
  try {
    await rig.query(`grant select, insert, update, delete, create on ${rig.schema}.* to ${url.username}@'%'`);
    const read = () => store.readWhole(async ({ identity }) => identity.storeId);
    await expect(read()).rejects.toMatchObject({
      code: 'MOVE_REFUSED',
      nextStep: `Let it: GRANT LOCK TABLES ON ${rig.schema}.* TO …`,
    });
    await rig.query(`grant lock tables on ${rig.schema}.* to ${url.username}@'%'`);
    expect(await read()).toMatch(/^[0-9a-f]{32}$/);
  } finally {
    await store.close();
    await rig.query(`drop user ${url.username}@'%'`);
  }
});

overRigs(
  'holds still all that a process changes that has the store open: its calls wait until the tables are free',
  async (rig) => {
    const store = await rig.open({ connectionsMax: 16, session: false });
    const job = { queue: 'q', name: 'n', payload: '1' };
    const keyed = { ...job, dedupe: { key: 'k' } };
    const [waiting] = await store.enqueue([{ ...job, queue: 'other' }, job, job]);
    const [acked, extended] = await store.claim({ queues: ['q'], limit: 2, leaseMs: 600_000, worker: 'w' });
    // The process counts as ended, and its leases as run out, as those of a machine do which was cut off.
    await rig.query(`update ${rig.schema}.lease set deadline_ms = 1`);
    await rig.query(`delete from ${rig.schema}.crew`);
    const from = movableMysqlStore({ connectionString: rig.url, schema: rig.schema });
    const by = { actor: 'ada' };
    const calls = {
      enqueue: () => store.enqueue([job]),
      'a keyed enqueue': () => store.enqueue([keyed]),
      'an enqueue under a request id': () => store.enqueue([job], { requestId: 'r' }),
      ack: () => store.ack([{ id: acked!.id, token: acked!.token }]),
      extend: () => store.extend([{ id: extended!.id, token: extended!.token, leaseMs: 600_000 }]),
      claim: () => store.claim({ queues: ['other'], limit: 1, leaseMs: 1000, worker: 'w' }),
      pause: () => store.pause('q', by),
      cancel: () => store.cancel({ ids: [waiting!.id] }, by),
    };
    const settled: string[] = [];
    const started: Promise<unknown>[] = [];
    try {
      await from.readWhole(async () => {
        for (const [name, call] of Object.entries(calls)) {
          const ended = call().finally(() => settled.push(name));
          // Looked at below; until then a call that fails is no error of this process.
          ended.catch(() => {});
          started.push(ended);
        }
        await vi.waitFor(
          async () => {
            const held = await rig.query(
              `select 1 from information_schema.processlist where info like ? and state like 'Waiting for table%'`,
              [`%${rig.schema}%`],
            );
            expect(held.length).toBeGreaterThanOrEqual(Object.keys(calls).length);
          },
          { timeout: 30_000, interval: 50 },
        );
        expect(settled).toEqual([]);
      });
      await Promise.all(started);
      expect(settled.toSorted()).toEqual(Object.keys(calls).toSorted());
    } finally {
      await from.close();
    }
  },
);

exerciseMoving(overRigs, {
  port: 3306,
  movable: ({ url, schema }: MysqlRig, other = url) => movableMysqlStore({ connectionString: other, schema }),
  change: (rig) =>
    rig.connected(async (ask) => {
      await ask('set session lock_wait_timeout = 1');
      await ask(`update ${rig.schema}.ready set priority = priority`);
    }),
  disturb: endHolder,
  disturbed: 'MOVE_INTERRUPTED',
});

import { expect, it } from 'vitest';
import { findTestDatabase, MysqlRig, NO_DATABASE } from './test-database.js';

const JOB = { queue: 'mail', name: 'send', payload: '{}' };

const database = await findTestDatabase();

function overRig(name: string, test: (rig: MysqlRig) => Promise<void>): void {
  it(name, async (context) => {
    if (database === undefined) return context.skip(NO_DATABASE);
    const rig = new MysqlRig(database.url);
    try {
      await test(rig);
    } finally {
      await rig.close();
    }
  });
}

/** Does something as a user who may do nothing but connect. */
async function asUser(rig: MysqlRig, test: (user: string, connectionString: string) => Promise<void>): Promise<void> {
  const name = `hf_${Math.random().toString(36).slice(2, 12)}`;
  const user = `'${name}'@'%'`;
  await rig.query(`create user ${user} identified by 'secret'`);
  try {
    const url = new URL(rig.url);
    url.username = name;
    url.password = 'secret';
    await test(user, url.href);
  } finally {
    await rig.query(`drop user ${user}`);
  }
}

async function expectWorking(rig: MysqlRig, connectionString: string): Promise<void> {
  const store = await rig.open({ connectionString });
  await store.enqueue([JOB, { ...JOB, dedupe: { key: 'one' } }, { ...JOB, delayMs: 1 }], { requestId: 'one' });
  const [job] = await store.claim({ queues: ['mail'], limit: 1, leaseMs: 60_000, worker: 'one' });
  expect(await store.ack([{ id: job?.id ?? '', token: job?.token ?? '' }])).toEqual(['ok']);
  await store.sweepNow();
  expect((await store.queues())[0]?.counts).toMatchObject({ ready: 2, completed: 1 });
  await store.storage();
  await store.close();
}

overRig('a user who may make nothing opens a store that somebody else has made', async (rig) => {
  await asUser(rig, async (user, url) => {
    await (await rig.open()).close();
    await rig.query(`grant select, insert, update, delete on ${rig.schema}.* to ${user}`);
    await expectWorking(rig, url);
  });
});

overRig('a user is told which rights are needed, and how they are given', async (rig) => {
  await asUser(rig, async (user, url) => {
    const { schema } = rig;
    const grant = (rights: string) => `GRANT ${rights} ON ${schema}.* TO ${user}`;
    const all = grant('SELECT, INSERT, UPDATE, DELETE, CREATE');
    await expect(rig.open({ connectionString: url })).rejects.toThrow(all);
    await rig.query(`create database ${schema}`);
    await rig.query(grant('SELECT, INSERT, UPDATE, DELETE'));
    await expect(rig.open({ connectionString: url })).rejects.toThrow(grant('CREATE'));
    await rig.query(grant('CREATE'));
    await expectWorking(rig, url);
    await rig.query(`revoke update, create on ${schema}.* from ${user}`);
    await expect(rig.open({ connectionString: url })).rejects.toThrow(grant('UPDATE, CREATE'));
    await rig.query(grant('UPDATE'));
    await (await rig.open({ connectionString: url })).close();
  });
});

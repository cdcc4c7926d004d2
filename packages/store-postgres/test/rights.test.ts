import { expect } from 'vitest';
import type { PostgresStoreOptions } from '../src/index.js';
import { migratePostgresStore } from '../src/index.js';
import { type PostgresRig, rigTests } from './test-database.js';

const JOB = { queue: 'mail', name: 'send', payload: '{}' };
const overRig = rigTests();

/** Does something as a role that may do nothing but connect. */
async function asRole(
  rig: PostgresRig,
  test: (role: string, options: Partial<PostgresStoreOptions>) => Promise<void>,
): Promise<void> {
  const role = `${rig.schema}_role`;
  await rig.query(`create role ${role}`);
  try {
    const url = new URL(rig.url);
    url.searchParams.set('options', `-c role=${role}`);
    await test(role, { connectionString: url.href });
  } finally {
    await rig.close();
    await rig.query(`drop owned by ${role}; drop role ${role}`);
  }
}

function granted(schema: string, role: string): string {
  return `grant usage on schema ${schema} to ${role};
    grant select, insert, update, delete on all tables in schema ${schema} to ${role};
    grant usage on all sequences in schema ${schema} to ${role}`;
}

async function expectWorking(rig: PostgresRig, options: Partial<PostgresStoreOptions>): Promise<void> {
  const store = await rig.open(options);
  await store.enqueue([JOB, { ...JOB, dedupe: { key: 'one' } }, { ...JOB, delayMs: 1 }], { requestId: 'one' });
  const [job] = await store.claim({ queues: ['mail'], limit: 1, leaseMs: 60_000, worker: 'one' });
  expect(await store.ack([{ id: job?.id ?? '', token: job?.token ?? '' }])).toEqual(['ok']);
  await store.sweepNow();
  expect((await store.queues())[0]?.counts).toMatchObject({ ready: 2, completed: 1 });
  await store.storage();
  await store.close();
}

overRig('a role that may make nothing opens a store that somebody else has made', async (rig) => {
  await asRole(rig, async (role, options) => {
    await (await rig.open()).close();
    await rig.query(granted(rig.schema, role));
    await expectWorking(rig, options);
  });
});

overRig('a role that may make tables in a schema that is there needs no right on the database', async (rig) => {
  await asRole(rig, async (role, options) => {
    await rig.query(`create schema ${rig.schema}; grant usage, create on schema ${rig.schema} to ${role}`);
    const { connectionString } = options;
    const planned = await migratePostgresStore({ connectionString, schema: rig.schema, dryRun: true });
    expect(planned).not.toContain('create schema');
    await expectWorking(rig, options);
  });
});

overRig('a role is told which right it lacks, and how it gets it', async (rig) => {
  await asRole(rig, async (role, options) => {
    const { schema } = rig;
    const { pathname } = new URL(rig.url);
    await expect(rig.open(options)).rejects.toThrow(`GRANT CREATE ON DATABASE ${pathname.slice(1)} TO ${role}`);
    await rig.query(`create schema ${schema}`);
    await expect(rig.open(options)).rejects.toThrow(`GRANT USAGE, CREATE ON SCHEMA ${schema} TO ${role}`);
    await (await rig.open()).close();
    for (const right of [
      `GRANT USAGE ON SCHEMA ${schema} TO ${role}`,
      `GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA ${schema} TO ${role}`,
      `GRANT USAGE ON ALL SEQUENCES IN SCHEMA ${schema} TO ${role}`,
    ]) {
      await expect(rig.open(options)).rejects.toThrow(right);
      await rig.query(right);
    }
    await expectWorking(rig, options);
  });
});

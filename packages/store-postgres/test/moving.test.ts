import type { StoreContents, WholeJob } from '@holdfast/contract/moving';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { movablePostgresStore } from '../src/moving.js';
import { findTestDatabase, NO_DATABASE, PostgresRig } from './test-database.js';

const database = await findTestDatabase();
const source = new PostgresRig(database?.url ?? '');
const target = new PostgresRig(database?.url ?? '');
const movable = ({ url, schema }: PostgresRig) => movablePostgresStore({ connectionString: url, schema });

beforeAll(async () => {
  if (database === undefined) return;
  const store = await source.open();
  await store.enqueue(Array.from({ length: 700 }, (_, index) => ({ queue: 'q', name: 'n', payload: `${index}` })));
  await store.close();
});

afterAll(async () => {
  if (database === undefined) return;
  await source.close();
  await target.close();
});

async function jobsOf(contents: StoreContents): Promise<WholeJob[]> {
  const jobs: WholeJob[] = [];
  for await (const some of contents.jobs()) jobs.push(...some);
  return jobs;
}

it('lets nobody change a job while it reads, also who holds no session', async (context) => {
  context.skip(database === undefined, NO_DATABASE);
  const store = movable(source);
  const change = `set lock_timeout = '100ms'; update ${source.schema}.ready set priority = priority`;
  try {
    await store.readWhole(async () => {
      await expect(source.query(change)).rejects.toMatchObject({ code: '55P03' });
    });
    await source.query(change);
  } finally {
    await store.close();
  }
});

it('shows all jobs of one moment in the order of their numbers, and notices who works meanwhile', async (context) => {
  context.skip(database === undefined, NO_DATABASE);
  const store = movable(source);
  try {
    await store.readWhole(async (contents) => {
      const jobs = await jobsOf(contents);
      expect(jobs.map(({ payload }) => payload)).toEqual(Array.from({ length: 700 }, (_, index) => `${index}`));
      await contents.requireUnchanged();
      await source.query(`select nextval('${source.schema}.end_number')`);
      await expect(contents.requireUnchanged()).rejects.toMatchObject({ code: 'MOVE_REFUSED' });
    });
  } finally {
    await store.close();
  }
});

it('keeps nothing of a copy that is refused, and passes the reason on', async (context) => {
  context.skip(database === undefined, NO_DATABASE);
  const [from, to] = [movable(source), movable(target)];
  const reason = new Error('not as it should be');
  try {
    const refuse = async (copy: StoreContents) => {
      expect(await jobsOf(copy)).toHaveLength(700);
      throw reason;
    };
    await expect(from.readWhole((contents) => to.take(contents, refuse))).rejects.toBe(reason);
    expect(await to.storeId()).toBeUndefined();
    const counted = await from.readWhole((contents) => to.take(contents, (copy) => copy.counts()));
    expect(counted.get('q')).toMatchObject({ ready: 700 });
    expect(await to.storeId()).toBe(await from.storeId());
    await expect(from.readWhole((contents) => to.take(contents, refuse))).rejects.toMatchObject({
      code: 'MOVE_REFUSED',
    });
  } finally {
    await from.close();
    await to.close();
  }
});

it('refuses another one that would fill the same schema', async (context) => {
  context.skip(database === undefined, NO_DATABASE);
  const rig = new PostgresRig(database?.url ?? '');
  const [from, to, other] = [movable(source), movable(rig), movable(rig)];
  try {
    await from.readWhole((contents) =>
      to.take(contents, async () => {
        await expect(other.take(contents, async () => {})).rejects.toMatchObject({ code: 'MOVE_REFUSED' });
      }),
    );
  } finally {
    for (const store of [from, to, other]) await store.close();
    await rig.close();
  }
});

it('refuses a schema that a process has open, though nothing is in it and that keeps no session', async (context) => {
  context.skip(database === undefined, NO_DATABASE);
  const rig = new PostgresRig(database?.url ?? '', { session: false });
  const [from, to] = [movable(source), movable(rig)];
  try {
    const open = await rig.open();
    await expect(from.readWhole((contents) => to.take(contents, async () => {}))).rejects.toMatchObject({
      code: 'MOVE_REFUSED',
      problem: expect.stringContaining('was opened before'),
    });
    const [job] = await open.enqueue([{ queue: 'q', name: 'n', payload: '' }]);
    expect(await open.job(job!.id)).toMatchObject({ id: job!.id });
    const later = await rig.open();
    expect(await later.job(job!.id)).toMatchObject({ id: job!.id });
  } finally {
    for (const store of [from, to]) await store.close();
    await rig.close();
  }
});

it('says what to do with a schema whose own row is gone or is none of a store', async (context) => {
  context.skip(database === undefined, NO_DATABASE);
  const rig = new PostgresRig(database?.url ?? '');
  const store = movable(rig);
  try {
    await (await rig.open()).close();
    await rig.query(`update ${rig.schema}.meta set store_id = 'abc'`);
    await expect(rig.open()).rejects.toMatchObject({
      code: 'STORE_OPEN_FAILED',
      message: expect.stringContaining('Drop the schema'),
    });
    await rig.query(`delete from ${rig.schema}.meta`);
    const gone = { code: 'STORE_OPEN_FAILED', message: expect.stringContaining('drop the schema') };
    await expect(rig.open()).rejects.toMatchObject(gone);
    await expect(store.readWhole(async () => {})).rejects.toMatchObject(gone);
  } finally {
    await store.close();
    await rig.close();
  }
});

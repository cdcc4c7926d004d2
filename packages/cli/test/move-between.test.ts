import type { JobStore } from '@holdfast/contract';
import { expect, it, type TestContext } from 'vitest';
import { type FullLife, leadFullLife, REQUEST_ID, REQUESTED } from './full-life.js';
import { MYSQL, move, POSTGRES, type Schema, type StoreView, viewOf } from './move-rig.js';
import { NO_SERVER, ownMariadb } from './own-mariadb.js';
import { until } from './rig.js';

async function made(source: Schema): Promise<{ readonly life: FullLife; readonly view: StoreView }> {
  const store = await source.open();
  const life = await leadFullLife(store);
  const view = await viewOf(store);
  await store.close();
  await source.forgetTellers();
  await source.leasesAreOver();
  return { life, view };
}

async function expectSame(store: JobStore, { life, view }: { life: FullLife; view: StoreView }): Promise<void> {
  await until(async () => (await store.leases(10)).length === 0);
  const found = await viewOf(store);
  expect([...found.jobs.keys()]).toEqual([...view.jobs.keys()]);
  for (const [id, job] of view.jobs) {
    if (!life.leased.includes(id)) expect(found.jobs.get(id)).toEqual(job);
  }
  const answers = life.requested.map((id) => ({ id, outcome: 'created' }));
  expect(await store.enqueue(REQUESTED, { requestId: REQUEST_ID })).toMatchObject(answers);
  const [fresh] = await store.enqueue([{ queue: 'new', name: 'n', payload: '' }]);
  expect(view.jobs.has(fresh!.id)).toBe(false);
}

async function expectMoves(source: Schema, target: Schema): Promise<void> {
  const life = await made(source);
  const words = [source.url, target.url, '--schema', source.name, '--json'];
  const first = await move(words);
  expect(first.err).toBe('');
  expect(JSON.parse(first.out)).toMatchObject({ wasThere: false, jobs: life.view.jobs.size, cutHistories: 0 });
  expect(JSON.parse((await move(words)).out)).toMatchObject({ wasThere: true });
  const store = await target.open();
  await expectSame(store, life);
  await store.close();
  await target.forgetTellers();
  expect(await move(words)).toMatchObject({ code: 5, out: '' });
}

function bothFor(context: TestContext): readonly [Schema, Schema] {
  const postgres = POSTGRES.schemaFor(context);
  return [postgres, MYSQL.schemaAt(MYSQL.schemaFor(context).url, postgres)];
}

it('moves a store from PostgreSQL into MySQL or MariaDB with all that is known of it', async (context) => {
  const [postgres, mysql] = bothFor(context);
  await expectMoves(postgres, mysql);
});

it('moves a store from MySQL or MariaDB into PostgreSQL with all that is known of it', async (context) => {
  const [postgres, mysql] = bothFor(context);
  await expectMoves(mysql, postgres);
});

it('moves a store from one server of MySQL or MariaDB to another', { timeout: 120_000 }, async (context) => {
  const source = MYSQL.schemaFor(context);
  const url = await ownMariadb();
  if (url === undefined) return context.skip(NO_SERVER);
  await expectMoves(source, MYSQL.schemaAt(url, source));
});

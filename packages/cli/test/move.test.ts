import { cpSync, existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { JobStore } from '@holdfast/contract';
import { type LogStore, openLogStore } from '@holdfast/core';
import { describe, expect, it } from 'vitest';
import { type FullLife, KEYED, leadFullLife, REQUEST_ID, REQUESTED, WINDOWED } from './full-life.js';
import { DATABASES, move, type Schema, type StoreView, viewOf } from './move-rig.js';
import { flipByte, holdfast, scratchDirectory, segmentsOf, stateOf, until } from './rig.js';

/** A log with jobs in all states, as a process leaves it that is killed while two of them are leased. */
async function makeLog(): Promise<{ directory: string; life: FullLife; view: StoreView }> {
  const live = join(scratchDirectory(), 'live');
  const directory = join(scratchDirectory(), 'log');
  const store = await openLogStore({ directory: live, segmentBytes: 64 * 1024 });
  const life = await leadFullLife(store);
  const view = await viewOf(store);
  cpSync(live, directory, { recursive: true });
  await store.close();
  return { directory, life, view };
}

async function makeDatabase(schema: Schema): Promise<{ life: FullLife; view: StoreView }> {
  const store = await schema.open();
  const life = await leadFullLife(store);
  const view = await viewOf(store);
  await store.close();
  await schema.forgetTellers();
  return { life, view };
}

/** All that is seen of a moved store is as it was; but the leased jobs have been given back. */
async function expectMoved(store: JobStore, { life, view }: { life: FullLife; view: StoreView }): Promise<void> {
  await until(async () => (await store.leases(10)).length === 0);
  const found = await viewOf(store);
  expect([...found.jobs.keys()]).toEqual([...view.jobs.keys()]);
  for (const [id, job] of view.jobs) {
    if (!life.leased.includes(id)) expect(found.jobs.get(id)).toEqual(job);
  }
  const others = ({ queues }: StoreView) => queues.filter(({ name }) => name !== 'leased');
  expect(others(found)).toEqual(others(view));
  await expectGivenBack(found, view, life);
}

async function expectGivenBack(found: StoreView, view: StoreView, { leased }: FullLife): Promise<void> {
  const [tried, last] = leased.map((id) => found.jobs.get(id));
  expect(tried).toMatchObject({ attempts: 1, queue: 'leased' });
  expect(last).toMatchObject({ state: 'dead', attempts: 1 });
  for (const job of [tried, last]) {
    const before = view.jobs.get(job?.id ?? '')?.attemptLog[0];
    expect(job?.attemptLog).toHaveLength(1);
    expect(job?.attemptLog[0]).toMatchObject({ worker: before?.worker, startedAtMs: before?.startedAtMs });
    expect(['processEnded', 'leaseExpired']).toContain(job?.attemptLog[0]?.outcome);
    expect(job?.attemptLog[0]?.lines).toEqual(before?.lines);
  }
}

/** What callers rely on goes on where it was. */
async function expectGoesOn(store: JobStore, { life, view }: { life: FullLife; view: StoreView }): Promise<void> {
  expect(await store.enqueue(REQUESTED, { requestId: REQUEST_ID })).toMatchObject(
    life.requested.map((id) => ({ id, outcome: 'created' })),
  );
  await expect(store.enqueue([KEYED], { requestId: REQUEST_ID })).rejects.toMatchObject({ code: 'REQUEST_MISMATCH' });
  expect(await store.enqueue([KEYED, WINDOWED])).toMatchObject([
    { id: life.keyed, outcome: 'duplicate' },
    { id: life.windowed, outcome: 'duplicate', state: 'completed' },
  ]);
  const [fresh] = await store.enqueue([{ queue: 'new', name: 'n', payload: '' }]);
  expect(view.jobs.has(fresh!.id)).toBe(false);
  expect(await store.claim({ queues: ['keys'], limit: 1, leaseMs: 1000, worker: 'w' })).toEqual([]);
  const [leased] = await store.claim({ queues: ['new'], limit: 1, leaseMs: 60_000, worker: 'w' });
  const tokens = [...view.jobs.values()].flatMap(({ lease }) => (lease === undefined ? [] : [lease.token]));
  for (const token of tokens) expect(leased!.token > token).toBe(true);
  await store.ack([leased!]);
  const groups = await store.deadGroups?.({}, { limit: 10 });
  expect(groups?.groups.reduce((sum, { count }) => sum + count, 0)).toBeGreaterThanOrEqual(2);
}

async function withLog<Answer>(directory: string, work: (store: LogStore) => Promise<Answer>): Promise<Answer> {
  const store = await openLogStore({ directory });
  try {
    return await work(store);
  } finally {
    await store.close();
  }
}

async function withDatabase<Answer>(schema: Schema, work: (store: JobStore) => Promise<Answer>): Promise<Answer> {
  const store = await schema.open();
  try {
    return await work(store);
  } finally {
    await store.close();
    await schema.forgetTellers();
  }
}

describe.each(DATABASES)('a log into $kind', ({ schemaFor }) => {
  it('takes everything along, and leaves the log as it was', async (context) => {
    const schema = schemaFor(context);
    const made = await makeLog();
    const before = stateOf(made.directory);
    const moved = await move([made.directory, schema.url, '--schema', schema.name]);
    expect(moved).toMatchObject({ code: 0, err: '' });
    expect(moved.out).toContain(`${made.view.jobs.size} jobs, each read again and compared`);
    expect(moved.out).toContain('  leased: 2 leased\n');
    expect(stateOf(made.directory)).toEqual(before);
    await withDatabase(schema, async (store) => {
      await expectMoved(store, made);
      await expectGoesOn(store, made);
    });
  });

  it('is found done when it is begun again, until somebody works there', async (context) => {
    const schema = schemaFor(context);
    const { directory } = await makeLog();
    const words = [directory, schema.url, '--schema', schema.name, '--json'];
    expect(JSON.parse((await move(words)).out)).toMatchObject({ wasThere: false, cutHistories: 0 });
    const again = await move(words);
    expect(again.code).toBe(0);
    expect(JSON.parse(again.out)).toMatchObject({ wasThere: true });
    await withDatabase(schema, (store) => store.enqueue([{ queue: 'more', name: 'n', payload: '' }]));
    await schema.leasesAreOver();
    expect(await move(words)).toMatchObject({ code: 5, out: '' });
  });

  it('takes a log whose process was cut off, and none that is damaged', async (context) => {
    const schema = schemaFor(context);
    const parent = scratchDirectory();
    const live = await openLogStore({ directory: join(parent, 'live') });
    await live.enqueue(Array.from({ length: 50 }, (_, index) => ({ queue: 'q', name: 'n', payload: `${index}` })));
    await live.enqueue([{ queue: 'q', name: 'n', payload: 'last' }]);
    cpSync(join(parent, 'live'), join(parent, 'cut'), { recursive: true });
    await live.close();
    const [segment] = segmentsOf(join(parent, 'live'));
    flipByte(segment!, 600);
    const damaged = await move([join(parent, 'live'), schema.url, '--schema', schema.name]);
    expect(damaged).toMatchObject({ code: 1, out: '' });
    const moved = await move([join(parent, 'cut'), schema.url, '--schema', schema.name, '--json']);
    expect(JSON.parse(moved.out)).toMatchObject({ jobs: 51, counts: { ready: 51 } });
  });

  it('leaves behind what is not to be kept, and lets the new store forget those first that ended first', async (context) => {
    const [some, all] = [schemaFor(context), schemaFor(context)];
    const directory = join(scratchDirectory(), 'log');
    const ids = await withLog(directory, async (store) => {
      await store.enqueue(Array.from({ length: 10 }, () => ({ queue: 'q', name: 'n', payload: '' })));
      const leased = await store.claim({ queues: ['q'], limit: 10, leaseMs: 60_000, worker: 'w' });
      for (const { id, token } of leased.toReversed()) await store.ack([{ id, token }]);
      return leased.map(({ id }) => id);
    });
    const last = ids.slice(0, 3).reverse();
    expect(await move([directory, some.url, '--schema', some.name, '--keep', '3'])).toMatchObject({ code: 0 });
    expect([...(await withDatabase(some, viewOf)).jobs.keys()]).toEqual(last);
    expect(await move([directory, all.url, '--schema', all.name])).toMatchObject({ code: 0 });
    const store = await all.open({ retention: { completed: { count: 3 } } });
    const kept = async () => (await store.browse({}, { limit: 1 })).total.value;
    await until(async () => (await kept()) <= 3);
    expect([...(await viewOf(store)).jobs.keys()]).toEqual(last);
    await store.close();
  });

  it('takes along the keys of jobs that are left behind, there and back', async (context) => {
    const schema = schemaFor(context);
    const directory = join(scratchDirectory(), 'log');
    const keyed = { queue: 'q', name: 'n', payload: '', dedupe: { key: 'g', forMs: 3_600_000 } };
    await withLog(directory, async (store) => {
      await store.enqueue([keyed]);
      const [leased] = await store.claim({ queues: ['q'], limit: 1, leaseMs: 60_000, worker: 'w' });
      await store.ack([leased!]);
    });
    const back = join(scratchDirectory(), 'back');
    expect(await move([directory, schema.url, '--schema', schema.name, '--keep', '0'])).toMatchObject({ code: 0 });
    expect(await move([schema.url, back, '--schema', schema.name])).toMatchObject({ code: 0 });
    const expectTaken = async (store: JobStore) => {
      expect(await store.enqueue([keyed])).toMatchObject([{ outcome: 'duplicate', state: 'completed' }]);
      expect((await viewOf(store)).jobs.size).toBe(0);
    };
    await withDatabase(schema, expectTaken);
    await withLog(back, expectTaken);
  });

  it('refuses a log that is open, and a schema that holds anything', async (context) => {
    const schema = schemaFor(context);
    const { directory } = await makeLog();
    const words = [directory, schema.url, '--schema', schema.name];
    await withLog(directory, async () => {
      expect(await move(words)).toMatchObject({ code: 5, err: expect.stringContaining('is in use by process') });
    });
    await withDatabase(schema, async (store) => {
      expect(await move(words)).toMatchObject({
        code: 5,
        err: expect.stringContaining(`open in process ${process.pid}`),
      });
      await store.pause('q', { actor: 'a' });
    });
    expect(await move(words)).toMatchObject({ code: 5, err: expect.stringContaining('is not empty') });
    expect((await withDatabase(schema, viewOf)).jobs.size).toBe(0);
  });
});

describe.each(DATABASES)('$kind into a log', ({ schemaFor }) => {
  it('takes everything along, and leaves the database as it was', async (context) => {
    const schema = schemaFor(context);
    const made = await makeDatabase(schema);
    await schema.leasesAreOver();
    const directory = join(scratchDirectory(), 'moved');
    const moved = await move([schema.url, directory, '--schema', schema.name]);
    expect(moved).toMatchObject({ code: 0, err: '' });
    expect((await holdfast(['verify', directory])).code).toBe(0);
    expect(readdirSync(directory).sort()).toEqual([expect.stringMatching(/segment$/), 'lock', 'move-report.json']);
    expect(await move([schema.url, directory, '--schema', schema.name])).toMatchObject({ code: 0 });
    await withLog(directory, async (store) => {
      await expectMoved(store, made);
      await expectGoesOn(store, made);
    });
    expect(await move([schema.url, directory, '--schema', schema.name])).toMatchObject({ code: 5 });
    await withDatabase(schema, (store) => expectMoved(store, made));
  });

  it('refuses while somebody may work there', async (context) => {
    const schema = schemaFor(context);
    const directory = join(scratchDirectory(), 'moved');
    const words = [schema.url, directory, '--schema', schema.name];
    expect(await move(words)).toMatchObject({ code: 3, err: expect.stringContaining('no store') });
    const store = await schema.open();
    expect(await move(words)).toMatchObject({ code: 5, err: expect.stringContaining('open in process') });
    await store.enqueue([{ queue: 'q', name: 'n', payload: '' }]);
    await store.claim({ queues: ['q'], limit: 1, leaseMs: 60_000, worker: 'w' });
    await store.close();
    await schema.forgetTellers();
    expect(await move(words)).toMatchObject({
      code: 5,
      err: expect.stringContaining('a lease that has not run out, of the worker w'),
    });
    expect(existsSync(directory)).toBe(false);
    await schema.leasesAreOver();
    expect(await move(words)).toMatchObject({ code: 0 });
  });

  it('refuses a database that is the source under another name', async (context) => {
    const schema = schemaFor(context);
    await withDatabase(schema, (store) => store.enqueue([{ queue: 'q', name: 'n', payload: '' }]));
    expect(await move([schema.url, schema.otherUrl, '--schema', schema.name])).toMatchObject({
      code: 5,
      out: '',
      err: expect.stringContaining('are the same store'),
    });
  });

  it('notices a process without a session by its workers', async (context) => {
    const schema = schemaFor(context);
    const store = await schema.open({ session: false });
    let worker = 0;
    const tell = () => store.claim({ queues: ['q'], limit: 1, leaseMs: 1000, worker: `w${worker++}` });
    await tell();
    const told = () => schema.query(`select 1 from ${schema.name}.crew`);
    await until(async () => (await told()).length > 0);
    let isOver = false;
    const telling = (async () => {
      while (!isOver) await tell();
    })();
    const directory = join(scratchDirectory(), 'moved');
    expect(await move([schema.url, directory, '--schema', schema.name])).toMatchObject({
      code: 5,
      err: expect.stringContaining('has workers'),
    });
    isOver = true;
    await telling;
    await store.close();
  });

  it('refuses a directory that holds anything', async (context) => {
    const schema = schemaFor(context);
    await withDatabase(schema, (store) => store.enqueue([{ queue: 'q', name: 'n', payload: '' }]));
    const { directory } = await makeLog();
    const before = stateOf(directory);
    expect(await move([schema.url, directory, '--schema', schema.name])).toMatchObject({ code: 5 });
    expect(stateOf(directory)).toEqual(before);
  });

  it('keeps of a long history as much as a log keeps', async (context) => {
    const schema = schemaFor(context);
    const id = await withDatabase(schema, async (store) => {
      const [job] = await store.enqueue([{ queue: 'q', name: 'n', payload: '', maxAttempts: null }]);
      for (let attempt = 0; attempt < 80; attempt++) {
        const [leased] = await store.claim({ queues: ['q'], limit: 1, leaseMs: 60_000, worker: 'w', waitMs: 5000 });
        const error = { class: 'E', message: `${attempt}` };
        // biome-ignore lint/suspicious/noThenProperty: the contract's word; never awaited
        await store.fail([{ id: leased!.id, token: leased!.token, error, then: { retryInMs: 0 } }]);
      }
      return job!.id;
    });
    const directory = join(scratchDirectory(), 'moved');
    const moved = await move([schema.url, directory, '--schema', schema.name]);
    expect(moved).toMatchObject({
      code: 0,
      out: expect.stringContaining('Of 1 job the oldest attempts were left out'),
    });
    const job = await withLog(directory, (store) => store.job(id));
    expect(job).toMatchObject({ attempts: 80 });
    const further = schemaFor(context);
    expect(await move([directory, further.url, '--schema', further.name])).toMatchObject({ code: 0 });
    expect(await withDatabase(further, (store) => store.job(id))).toMatchObject({
      attempts: 80,
      attemptLog: job?.attemptLog,
    });
    expect(job?.attemptLog.map(({ error }) => error?.message)).toEqual(
      Array.from({ length: 50 }, (_, n) => `${n + 30}`),
    );
  });
});

it.for(DATABASES)(
  'comes back from $kind as it went, and hands jobs out in the same order',
  async ({ schemaFor }, context) => {
    const schema = schemaFor(context);
    const made = await makeLog();
    const copy = join(scratchDirectory(), 'copy');
    cpSync(made.directory, copy, { recursive: true });
    const directory = join(scratchDirectory(), 'back');
    expect(await move([made.directory, schema.url, '--schema', schema.name])).toMatchObject({ code: 0 });
    expect(await move([schema.url, directory, '--schema', schema.name])).toMatchObject({ code: 0 });
    await withLog(directory, (store) => expectMoved(store, made));
    const queues = ['ready', 'acted', 'ended', 'elsewhere'];
    const order = async (store: LogStore) => {
      const jobs = await store.claim({ queues, limit: 100, leaseMs: 1000, worker: 'w' });
      return jobs.map(({ id }) => id);
    };
    const claimed = await withLog(directory, order);
    expect(claimed.length).toBeGreaterThan(8);
    expect(claimed).toEqual(await withLog(copy, order));
    expect(readFileSync(join(directory, 'move-report.json'), 'utf8')).toContain('storeId');
  },
);

it.each([
  ['postgres://user:secret@127.0.0.1:99999/test', []],
  ['postgres://user:secret@[::1/test', []],
  ['postgres://user:secret@127.0.0.1/test', ['--schema', 'A"b']],
  ['postgres://user:secret@127.0.0.1/test', ['--schema', '']],
  ['mysql://user:secret@127.0.0.1:99999/test', []],
  ['mysql://user:secret@[::1/test', []],
  ['mariadb://user:secret@127.0.0.1/test', ['--schema', 'A`b']],
])('says in a sentence that %s %j makes no sense', async (to, more) => {
  const { code, err } = await holdfast(['move', scratchDirectory(), to, ...more]);
  expect([code, err]).toEqual([2, expect.not.stringMatching(/secret|\n +at /)]);
});

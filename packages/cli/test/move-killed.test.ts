import { existsSync, mkdirSync, readdirSync, renameSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { NewJob } from '@holdfast/contract';
import { openLogStore } from '@holdfast/core';
import { expect, it, type TestContext } from 'vitest';
import { codeOf, start } from './child.js';
import { findDatabase, move, NO_DATABASE, Schema } from './move-rig.js';
import { holdfast, scratchDirectory, segmentsOf, stateOf } from './rig.js';

const JOBS = 20_000;
const JOBS_A_CALL = 10_000;
const url = await findDatabase();

function schemaFor(context: TestContext): Schema {
  context.skip(url === undefined, NO_DATABASE);
  return new Schema(url ?? '');
}

function jobs(): NewJob[] {
  return Array.from({ length: JOBS_A_CALL }, (_, index) => ({
    queue: `q${index % 3}`,
    name: 'n',
    payload: JSON.stringify({ index, text: 'x'.repeat(200) }),
    ...(index % 5 === 0 ? { delayMs: 3_600_000 } : {}),
  }));
}

async function makeLog(): Promise<string> {
  const directory = join(scratchDirectory(), 'log');
  const store = await openLogStore({ directory });
  for (let done = 0; done < JOBS; done += JOBS_A_CALL) await store.enqueue(jobs());
  await store.close();
  return directory;
}

/** Resolves when a connection asks the database, or has just asked, something with this text in it. */
async function isAsked(schema: Schema, text: string): Promise<void> {
  const query = `select 1 from pg_stat_activity where pid <> pg_backend_pid() and position('${text}' in query) > 0 and xact_start is not null`;
  while ((await schema.query(query)).length === 0);
}

async function nobodyAsks(schema: Schema): Promise<void> {
  const query = `select 1 from pg_stat_activity where pid <> pg_backend_pid() and position('${schema.name}' in query) > 0 and xact_start is not null`;
  while ((await schema.query(query)).length > 0);
}

it.for([
  ['while jobs are written', 'insert into %s.ready'],
  ['while they are read again', 'select number, payload_size from %s.job'],
] as const)(
  'killed on the way into PostgreSQL %s, leaves nothing and can be begun again',
  async ([, text], context) => {
    const schema = schemaFor(context);
    const directory = await makeLog();
    const before = stateOf(directory);
    const words = [directory, schema.url, '--schema', schema.name];
    const child = start('holdfast', ['move', ...words]);
    await isAsked(schema, text.replace('%s', schema.name));
    child.kill('SIGKILL');
    expect(await codeOf(child)).toBeNull();
    await nobodyAsks(schema);
    expect(await schema.query(`select 1 from ${schema.name}.job union all select 1 from ${schema.name}.queue`)).toEqual(
      [],
    );
    expect(stateOf(directory)).toEqual(before);
    const moved = await move([...words, '--json']);
    expect(JSON.parse(moved.out)).toMatchObject({ jobs: JOBS, wasThere: false });
    const [row] = await schema.query<{ jobs: string; places: string }>(`
    select (select count(*) from ${schema.name}.job) as jobs,
      (select count(*) from ${schema.name}.ready) + (select count(*) from ${schema.name}.scheduled) as places`);
    expect(row).toEqual({ jobs: `${JOBS}`, places: `${JOBS}` });
  },
);

it('disturbed or killed on the way into a log, leaves nothing that opens and can be begun again', async (context) => {
  const schema = schemaFor(context);
  const store = await schema.open();
  for (let done = 0; done < JOBS; done += JOBS_A_CALL) await store.enqueue(jobs());
  await store.close();
  const directory = join(scratchDirectory(), 'moved');
  const words = [schema.url, directory, '--schema', schema.name];
  const unfinished = join(directory, 'unfinished-move');
  const written = () => existsSync(unfinished) && segmentsOf(unfinished).some((file) => statSync(file).size > 100_000);
  const disturbed = start('holdfast', ['move', ...words]);
  while (!written()) await new Promise((resolve) => setImmediate(resolve));
  await schema.query(`select nextval('${schema.name}.job_number')`);
  expect(await codeOf(disturbed)).toBe(5);
  expect(readdirSync(directory)).toEqual([]);
  const child = start('holdfast', ['move', ...words]);
  while (!written()) await new Promise((resolve) => setImmediate(resolve));
  child.kill('SIGKILL');
  expect(await codeOf(child)).toBeNull();
  expect(readdirSync(directory)).toEqual(['lock', 'unfinished-move']);
  expect(await holdfast(['verify', directory])).toMatchObject({ code: 3 });
  expect(JSON.parse((await move([...words, '--json'])).out)).toMatchObject({ jobs: JOBS, wasThere: false });
  expect(await holdfast(['verify', directory])).toMatchObject({ code: 0 });
  await expectEachStepRepeats(directory, words);
});

/** As a move leaves it that is cut off between its last steps. */
async function expectEachStepRepeats(directory: string, words: readonly string[]): Promise<void> {
  const unfinished = join(directory, 'unfinished-move');
  mkdirSync(unfinished);
  expect(JSON.parse((await move([...words, '--json'])).out)).toMatchObject({ jobs: JOBS, wasThere: true });
  expect(existsSync(unfinished)).toBe(false);
  mkdirSync(unfinished);
  for (const segment of segmentsOf(directory)) renameSync(segment, join(unfinished, basename(segment)));
  expect(JSON.parse((await move([...words, '--json'])).out)).toMatchObject({ jobs: JOBS, wasThere: false });
  expect(existsSync(unfinished)).toBe(false);
}

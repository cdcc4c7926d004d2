import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { mysqlOutboxTable, pgOutboxTable } from '@holdfast/core';
import mysql from 'mysql2/promise';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { ChildProgram } from './child-program.js';
import { compileProgram } from './compile-program.js';
import { sourcesOf } from './page-sources.js';
import { temporaryDirectory } from './temporary-directory.js';

const PAGES = ['outbox', 'idempotent-handlers', 'long-jobs', 'webhooks', 'one-mail-per-order', 'repeating-jobs'];
const PROGRAMS = ['outbox', 'outbox-mysql', 'accounts', 'exports', 'webhooks', 'schedules'];
const SERVER = process.env.HOLDFAST_TEST_POSTGRES_URL ?? 'postgres://postgres@127.0.0.1:5432/test';
const MYSQL = process.env.HOLDFAST_TEST_MYSQL_URL ?? 'mysql://root@127.0.0.1:3306/';

const pathOf = (page: string) => `../../../docs/recipes/${page}.md`;

let built: string;
let removeBuilt = () => {};
/** Why the pages that need PostgreSQL cannot be run here. */
let noServer: string | undefined;

beforeAll(async () => {
  const sources = new Map(PAGES.flatMap((page) => [...sourcesOf(pathOf(page))]));
  for (const name of PROGRAMS) {
    const program = readFileSync(new URL(`programs/recipe-${name}.ts`, import.meta.url), 'utf8');
    sources.set(`src/run-${name}.ts`, program);
  }
  built = await compileProgram(sources, (remove) => {
    removeBuilt = remove;
  });
  noServer = await new pg.Pool({ connectionString: SERVER, connectionTimeoutMillis: 3000 })
    .query('SELECT 1')
    .then(() => undefined)
    .catch((error: unknown) => `no PostgreSQL answers at ${SERVER}: ${error}`);
}, 120_000);

afterAll(() => removeBuilt());

/** A schema of its own with the tables of the page. Answers the address that leads into it. */
async function schemaOf(page: string, more = ''): Promise<string> {
  const schema = `recipe_${Date.now()}_${process.pid}_${page.replaceAll('-', '_')}`;
  const client = new pg.Client({ connectionString: SERVER });
  await client.connect();
  onTestFinished(async () => {
    await client.query(`DROP SCHEMA ${schema} CASCADE`);
    await client.end();
  });
  await client.query(`CREATE SCHEMA ${schema}; SET search_path TO ${schema}; ${more}`);
  for (const statements of statementsOf(page, 'PostgreSQL')) await client.query(statements);
  return `${SERVER}?options=${encodeURIComponent(`-c search_path=${schema}`)}`;
}

/** Those for MySQL and MariaDB say so in their first line. */
function statementsOf(page: string, kind: 'PostgreSQL' | 'MySQL'): string[] {
  const text = readFileSync(new URL(pathOf(page), import.meta.url), 'utf8');
  const blocks = [...text.matchAll(/^```sql\n([\s\S]*?)^```$/gm)].map(([, statements]) => statements!);
  return blocks.filter((statements) => statements.startsWith('-- MySQL, MariaDB') === (kind === 'MySQL'));
}

/** A database of its own with the tables of the page, or why there is none. */
async function mysqlDatabaseOf(page: string): Promise<{ readonly url: string } | { readonly missing: string }> {
  const connection = await mysql.createConnection({ uri: MYSQL, connectTimeout: 3000 }).catch(String);
  if (typeof connection === 'string') return { missing: `no MySQL or MariaDB answers at ${MYSQL}: ${connection}` };
  const name = `recipe_${Date.now()}_${process.pid}_${page.replaceAll('-', '_')}`;
  onTestFinished(async () => {
    await connection.query(`DROP DATABASE ${name}`);
    await connection.end();
  });
  await connection.query(`CREATE DATABASE ${name}`);
  await connection.query(`USE ${name}`);
  await connection.query('CREATE TABLE orders (id varchar(64) PRIMARY KEY)');
  for (const statements of statementsOf(page, 'MySQL')) await connection.query(statements);
  const url = new URL(MYSQL);
  url.pathname = `/${name}`;
  return { url: url.href };
}

/** Runs a program to its end and answers the JSON behind a word that it says. */
async function run(program: string, word: string, environment: Record<string, string>): Promise<unknown> {
  const child = new ChildProgram(join(built, `run-${program}.js`), environment);
  expect(await child.ended, child.lines.join('\n')).toBe(0);
  return JSON.parse((await child.said(new RegExp(`^${word} `))).slice(word.length + 1));
}

describe('the recipe', () => {
  it('outbox: each order has one job, whenever the process is ended; what is rolled back has none', async (context) => {
    context.skip(noServer !== undefined, noServer);
    const DATABASE_URL = await schemaOf('outbox', 'CREATE TABLE orders (id text PRIMARY KEY, email text NOT NULL)');
    const environment = { DATABASE_URL, QUEUE_DIRECTORY: temporaryDirectory() };
    const script = join(built, 'run-outbox.js');
    const placing = new ChildProgram(script, { ...environment, STEP: 'place' });
    expect(await placing.ended, placing.lines.join('\n')).toBe(0);
    await placing.said(/^refused: .*duplicate key/);
    const killed = new ChildProgram(script, { ...environment, STEP: 'killed before delete' });
    expect(await killed.ended, killed.lines.join('\n')).toBe('SIGKILL');
    expect(await run('outbox', 'carried', { ...environment, STEP: 'carry' })).toEqual({ jobs: 21, orders: 21 });
  }, 120_000);

  it('outbox: the tables of the page are those that the functions make', () => {
    expect(statementsOf('outbox', 'PostgreSQL')).toEqual([`${pgOutboxTable('outbox')}\n`]);
    expect(statementsOf('outbox', 'MySQL')).toEqual([`-- MySQL, MariaDB\n${mysqlOutboxTable('outbox')}\n`]);
  });

  it('outbox on MySQL and MariaDB: the same', async (context) => {
    const database = await mysqlDatabaseOf('outbox');
    if ('missing' in database) return context.skip(database.missing);
    const environment = { DATABASE_URL: database.url, QUEUE_DIRECTORY: temporaryDirectory() };
    const script = join(built, 'run-outbox-mysql.js');
    const placing = new ChildProgram(script, { ...environment, STEP: 'place' });
    expect(await placing.ended, placing.lines.join('\n')).toBe(0);
    await placing.said(/^refused: .*Duplicate entry/);
    const killed = new ChildProgram(script, { ...environment, STEP: 'killed before delete' });
    expect(await killed.ended, killed.lines.join('\n')).toBe('SIGKILL');
    const carried = { jobs: 121, orders: 121 };
    expect(await run('outbox-mysql', 'carried', { ...environment, STEP: 'carry' })).toEqual(carried);
  }, 120_000);

  it('idempotent handlers: a payment counts once, and a late write is refused', async (context) => {
    context.skip(noServer !== undefined, noServer);
    const DATABASE_URL = await schemaOf('idempotent-handlers');
    expect(await run('accounts', 'accounts', { DATABASE_URL })).toEqual({
      failed: 1,
      completed: 1,
      cents: 500,
      pieces: 7,
      left: 0,
    });
  }, 60_000);

  it('long jobs: the next attempt goes on at the checkpoint', async (context) => {
    context.skip(noServer !== undefined, noServer);
    const DATABASE_URL = await schemaOf('long-jobs');
    expect(await run('exports', 'exports', { DATABASE_URL })).toEqual({
      failed: 1,
      completed: 1,
      asked: [0, 100, 200, 200, 250],
      exported: 250,
    });
  }, 60_000);

  it('webhooks: tried again under the same key while the receiver is down, and dead at once when it is gone', async () => {
    expect(await run('webhooks', 'webhooks', {})).toEqual({
      calls: ['/down o-1', '/down o-1', '/down o-1', '/gone o-2'],
      down: { failed: 2, completed: 1, dead: 0 },
      gone: { failed: 0, completed: 0, dead: 1 },
    });
  }, 60_000);

  it('repeating jobs: one for each tick however often it is told, and a chain that goes on over a failure and a start', async () => {
    // The sum of the night, and fetches at 0, 5, 10 and 15 minutes, one of which is tried twice.
    expect(await run('schedules', 'schedules', {})).toEqual({
      sums: 1,
      completed: 5,
      failed: 1,
      calls: 5,
      scheduled: 1,
      ready: 0,
    });
  }, 60_000);
});

import process from 'node:process';
import { logStore, type StoreSource } from '@holdfast/nestjs';
import { postgresStore } from '@holdfast/store-postgres';
import pg from 'pg';
import { temporaryDirectory } from '../demo/temporary-directory.js';

/** What keeps the jobs of an application under test. */
export type StoreKind = 'log' | 'postgres';

export interface TestedStore {
  readonly source: StoreSource;
  /** Once nothing is open any more. */
  remove(): Promise<void>;
}

const URL_NAME = 'HOLDFAST_TEST_POSTGRES_URL';
const LOCAL = 'postgres://postgres@127.0.0.1:5432/test';
const CONNECT_TIMEOUT_MS = 2000;

/** Why nothing can be tested over PostgreSQL: the reason of a skip. */
export const NO_POSTGRES = `no PostgreSQL answers at ${LOCAL}, and ${URL_NAME} names no other one`;

let stores = 0;

/** A store of its own, empty. */
export async function testedStore(kind: StoreKind): Promise<TestedStore> {
  if (kind === 'postgres') return postgresSchema();
  const directory = await temporaryDirectory();
  return { source: logStore({ directory: directory.path }), remove: () => directory.remove() };
}

function postgresSchema(): TestedStore {
  const connectionString = process.env[URL_NAME] ?? LOCAL;
  const schema = `hf_browser_${process.pid}_${Date.now().toString(36)}_${stores++}`;
  return {
    source: postgresStore({ connectionString, schema, connectionsMax: 4 }),
    remove: () => withClient(connectionString, (client) => client.query(`drop schema if exists ${schema} cascade`)),
  };
}

/** @throws Error where the environment names a server that does not answer */
export async function postgresAnswers(): Promise<boolean> {
  const connectionString = process.env[URL_NAME];
  try {
    await withClient(connectionString ?? LOCAL, (client) => client.query('select 1'));
    return true;
  } catch (error) {
    if (connectionString === undefined) return false;
    throw new Error(`${URL_NAME} names a server that does not answer.`, { cause: error });
  }
}

async function withClient(connectionString: string, work: (client: pg.Client) => Promise<unknown>): Promise<void> {
  const client = new pg.Client({ connectionString, connectionTimeoutMillis: CONNECT_TIMEOUT_MS });
  try {
    await client.connect();
    await work(client);
  } finally {
    await client.end().catch(() => {});
  }
}

import { createRequire } from 'node:module';

/** What better-sqlite3 and node:sqlite have in common. */
export interface Database {
  exec(sql: string): unknown;
  prepare(sql: string): Statement;
  close(): void;
}

export interface Statement {
  run(...values: readonly (string | number)[]): unknown;
  all(...values: readonly (string | number)[]): unknown[];
}

export interface Driver {
  readonly name: string;
  open(path: string): Database;
}

type DatabaseClass = new (path: string) => Database;

const require = createRequire(import.meta.url);

/** Where better-sqlite3 is that was built for this Node, when the one that is installed here was not. */
export const SQLITE_VARIABLE = 'HOLDFAST_BENCH_SQLITE';

/** better-sqlite3 where it is built (see docs/performance.md), else what Node has built in; `undefined` where there is neither. */
export function findDriver(): Driver | undefined {
  return betterSqlite() ?? builtIn();
}

function betterSqlite(): Driver | undefined {
  const place = process.env[SQLITE_VARIABLE] ?? 'better-sqlite3';
  try {
    const Database: DatabaseClass = require(place);
    new Database(':memory:').close();
    const { version }: { version: string } = require(`${place}/package.json`);
    return { name: `better-sqlite3 ${version}`, open: (path) => new Database(path) };
  } catch {
    return undefined;
  }
}

function builtIn(): Driver | undefined {
  try {
    const { DatabaseSync }: { DatabaseSync: DatabaseClass } = require('node:sqlite');
    return { name: `node:sqlite of Node ${process.versions.node}`, open: (path) => new DatabaseSync(path) };
  } catch {
    return undefined;
  }
}

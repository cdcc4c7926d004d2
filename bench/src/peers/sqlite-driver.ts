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

/** better-sqlite3 where it is built (see docs/performance.md), else what Node has built in; `undefined` where there is neither. */
export function findDriver(): Driver | undefined {
  return betterSqlite() ?? builtIn();
}

function betterSqlite(): Driver | undefined {
  try {
    const Database: DatabaseClass = require('better-sqlite3');
    new Database(':memory:').close();
    const { version }: { version: string } = require('better-sqlite3/package.json');
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

import { openSqlite } from '../../peers/sqlite.js';
import { findDriver } from '../../peers/sqlite-driver.js';
import type { Entrant } from '../entrant.js';
import { directoryBytes } from './disk-bytes.js';

const DURABLE = {
  setting: 'WAL, synchronous = FULL',
  why: 'a transaction is on stable storage when it returns; WAL needs one fsync for that',
  source: 'https://sqlite.org/pragma.html#pragma_synchronous',
};
const PREPARED = {
  setting: 'prepared statements, claims of as many jobs as there is room for',
  why: 'what a good queue written by hand would do',
  source: 'bench/src/peers/sqlite.ts',
};

export const sqlitePlain: Entrant = {
  name: 'sqlite-plain',
  title: 'SQLite, a transaction a call',
  sqlite: true,
  afterPowerCut: 'every job',
  settings: [DURABLE, PREPARED],
  drainJobs: 20_000,
  open: ({ directory }) => open(directory, 'each call'),
};

export const sqliteGrouped: Entrant = {
  name: 'sqlite-grouped',
  title: 'SQLite, a transaction a turn',
  sqlite: true,
  afterPowerCut: 'every job',
  settings: [
    DURABLE,
    PREPARED,
    {
      setting: 'all that is asked in a turn of the event loop is one transaction',
      why: 'a thousand enqueues share one fsync, as they do in Holdfast',
      source: 'https://sqlite.org/faq.html#q19',
    },
  ],
  drainJobs: 100_000,
  open: ({ directory }) => open(directory, 'each turn'),
};

async function open(directory: string, commit: 'each call' | 'each turn') {
  const peer = await openSqlite(directory, commit);
  return { ...peer, version: findDriver()!.name, diskBytes: async () => directoryBytes(directory) };
}

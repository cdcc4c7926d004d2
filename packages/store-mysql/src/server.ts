import process from 'node:process';
import { StoreOpenError } from '@holdfast/contract';
import { STORE_LIMITS } from '@holdfast/contract/rules';
import type { Database } from './database.js';
import { sql } from './sql-text.js';

/** MySQL and MariaDB have parted: what the store needs to know of the one it found. */
export interface Server {
  readonly kind: 'MySQL' | 'MariaDB';
  readonly version: string;
  /** Texts compare byte by byte, and blanks at their end count. Both kinds have such a collation, each under a name of its own. */
  readonly collation: string;
}

/** What it says of itself. What a version does not know any more is missing. */
export type Settings = Readonly<Partial<Record<(typeof NAMES)[number], string>>>;

const NAMES = [
  'version',
  'innodb_flush_log_at_trx_commit',
  'log_bin',
  'sync_binlog',
  'binlog_format',
  'read_only',
  'max_allowed_packet',
  'sql_mode',
  'innodb_doublewrite',
] as const;

/** MySQL: SKIP LOCKED came with 8.0.1, the collation with 8.0.17. MariaDB: SKIP LOCKED came with 10.6. */
const OLDEST = { MySQL: [8, 0, 17], MariaDB: [10, 6, 0] } as const;
const COLLATIONS = { MySQL: 'utf8mb4_0900_bin', MariaDB: 'utf8mb4_nopad_bin' } as const;
/** Of one statement: the largest payload, with every byte escaped, and the rows beside it. */
const PACKET_BYTES_MIN = 4 * STORE_LIMITS.payloadBytesMax;

/** @throws StoreOpenError for a server on which the promises of the store would not hold */
export async function checkServer(database: Database, acceptDataLoss: boolean): Promise<Server> {
  const { location } = database;
  const rows = await database.ask<{ Variable_name: string; Value: string }>(
    sql`show variables where Variable_name in (${NAMES})`,
  );
  const settings: Settings = Object.fromEntries(rows.map(({ Variable_name, Value }) => [Variable_name, Value]));
  const server = serverOf(settings.version ?? '');
  const problem = problemOf(server, settings, acceptDataLoss);
  if (problem !== undefined) throw new StoreOpenError(location, problem);
  if (settings.innodb_doublewrite === 'OFF') {
    const warning = `The database ${location} runs with innodb_doublewrite = OFF: a crash of its machine can lose jobs that were answered, or all of it.`;
    process.emitWarning(warning, 'HoldfastWarning');
  }
  return server;
}

export function serverOf(version: string): Server {
  const kind = version.includes('MariaDB') ? 'MariaDB' : 'MySQL';
  return { kind, version, collation: COLLATIONS[kind] };
}

/** Why the promises of the store would not hold on it. */
export function problemOf({ kind, version }: Server, settings: Settings, acceptDataLoss: boolean): string | undefined {
  if (isOlder(version, OLDEST[kind])) {
    return `it is ${kind} ${version}, but the store needs MySQL 8.0.17 or MariaDB 10.6, or newer.`;
  }
  if ((settings.read_only ?? 'OFF') !== 'OFF') {
    return 'it is read-only (read_only), as a replica is, and takes no changes. Connect to the primary.';
  }
  if (settings.log_bin === 'ON' && settings.binlog_format === 'STATEMENT') {
    return 'binlog_format is STATEMENT, with which the server refuses changes under READ COMMITTED. Set it to ROW.';
  }
  if (Number(settings.max_allowed_packet) < PACKET_BYTES_MIN) {
    return `max_allowed_packet is ${settings.max_allowed_packet}, too small for the largest payload. Set it to ${PACKET_BYTES_MIN} or more.`;
  }
  if (settings.sql_mode?.split(',').includes('NO_BACKSLASH_ESCAPES')) {
    return 'the connections of the given pool have sql_mode NO_BACKSLASH_ESCAPES, under which mysql2 cannot write texts. Leave it out.';
  }
  return acceptDataLoss ? undefined : lossOf(settings);
}

/** What could lose jobs that were answered as stored. */
function lossOf(settings: Settings): string | undefined {
  if (settings.innodb_flush_log_at_trx_commit !== '1') {
    return (
      `innodb_flush_log_at_trx_commit is ${settings.innodb_flush_log_at_trx_commit}, so a crash could lose jobs that were answered as stored. ` +
      'Set it to 1. Or say acceptDataLoss: true.'
    );
  }
  // With a binary log the server finds its way back after a crash by that log, and undoes what is not in it.
  if (settings.log_bin === 'ON' && settings.sync_binlog !== '1') {
    return (
      `sync_binlog is ${settings.sync_binlog}, so a crash could lose jobs that were answered as stored. ` +
      'Set it to 1. Or say acceptDataLoss: true.'
    );
  }
  return undefined;
}

function isOlder(version: string, oldest: readonly number[]): boolean {
  // Older clients were told that MariaDB is a version 5.5.5, with the true one behind it.
  const numbers =
    /(\d+)\.(\d+)\.(\d+)/
      .exec(version.replace(/^5\.5\.5-/, ''))
      ?.slice(1)
      .map(Number) ?? [];
  const different = oldest.findIndex((part, index) => numbers[index] !== part);
  return different >= 0 && (numbers[different] ?? 0) < (oldest[different] ?? 0);
}

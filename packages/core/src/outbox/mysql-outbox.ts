import type { JobMap } from '../queue/job-options.js';
import { quotedTable } from './table-name.js';
import { type ColumnValue, type OutboxSession, TableOutbox, type TableOutboxOptions } from './table-outbox.js';

/** `mysql2/promise`: a connection after `beginTransaction`. */
export interface MysqlOutboxConnection {
  query(text: string, values: ColumnValue[]): Promise<readonly [unknown, ...unknown[]]>;
}

/** `mysql2/promise`: a connection that is lent by a pool. */
interface MysqlPoolConnection extends MysqlOutboxConnection {
  release(): void;
  destroy(): void;
}

/** `mysql2/promise`: the application's `Pool`. */
export interface MysqlOutboxPool {
  getConnection(): Promise<MysqlPoolConnection>;
}

/**
 * An outbox in MySQL 8.0.13, MariaDB 10.6, or newer.
 * @param pool The application's own; it stays the application's to end.
 * @throws InvalidArgumentError when the table could not be named in a statement.
 */
export function mysqlOutbox<Jobs extends object = JobMap>(
  pool: MysqlOutboxPool,
  options: TableOutboxOptions,
): TableOutbox<MysqlOutboxConnection, Jobs> {
  const table = quotedTable(options.table, '`');
  return new TableOutbox<MysqlOutboxConnection, Jobs>(
    {
      table,
      // Of a small table these servers would rather read every row, and stand before those that another relay is carrying.
      byId: `${table} FORCE INDEX (PRIMARY)`,
      // For many ids a DELETE with a list of them reads the whole table even so. A table under another name would have to be in the database that
      // the connection has chosen.
      removal: (ids) => ({
        text:
          `DELETE ${table} FROM JSON_TABLE(?, '$[*]' COLUMNS (id bigint PATH '$')) AS carried ` +
          `STRAIGHT_JOIN ${table} FORCE INDEX (PRIMARY) ON ${table}.id = carried.id`,
        values: [JSON.stringify(ids)],
      }),
      // In the usual level the lock of the rows is one of the gap behind them, too: nobody could write into the outbox meanwhile.
      begin: ['SET TRANSACTION ISOLATION LEVEL READ COMMITTED', 'START TRANSACTION'],
      place: () => '?',
      connect: async () => sessionOf(await pool.getConnection()),
      run: (connection, { text, values }) => connection.query(text, values),
      isPool: (connection: object) => connection === pool,
    },
    options,
  );
}

/** What makes the table of an outbox where there is none. */
export function mysqlOutboxTable(table: string): string {
  return `CREATE TABLE IF NOT EXISTS ${quotedTable(table, '`')} (
  id bigint AUTO_INCREMENT PRIMARY KEY,
  request_id char(36) NOT NULL DEFAULT (uuid()),
  name varchar(255) NOT NULL,
  payload longtext NOT NULL,
  options longtext,
  refused text
) CHARACTER SET utf8mb4;`;
}

function sessionOf(connection: MysqlPoolConnection): OutboxSession {
  return {
    async rows(text, values) {
      const [rows] = await connection.query(text, values);
      return Array.isArray(rows) ? rows : [];
    },
    release(broken) {
      if (broken) connection.destroy();
      else connection.release();
    },
  };
}

import type { JobMap } from '../queue/job-options.js';
import { quotedTable } from './table-name.js';
import { type ColumnValue, type OutboxSession, TableOutbox, type TableOutboxOptions } from './table-outbox.js';

/** `pg`: a client after `BEGIN`. */
export interface PgOutboxClient {
  query(text: string, values: ColumnValue[]): Promise<{ readonly rows: readonly unknown[] }>;
}

/** `pg`: a client that is lent by a pool. */
interface PgPoolClient extends PgOutboxClient {
  on(event: 'error', listener: (error: Error) => void): unknown;
  removeListener(event: 'error', listener: (error: Error) => void): unknown;
  release(destroy?: boolean): void;
}

/** `pg`: the application's `Pool`. */
export interface PgOutboxPool {
  connect(): Promise<PgPoolClient>;
}

/**
 * An outbox in PostgreSQL 13 or newer.
 * @param pool The application's own; it stays the application's to end.
 * @throws InvalidArgumentError when the table could not be named in a statement.
 */
export function pgOutbox<Jobs extends object = JobMap>(
  pool: PgOutboxPool,
  options: TableOutboxOptions,
): TableOutbox<PgOutboxClient, Jobs> {
  const table = quotedTable(options.table, '"');
  return new TableOutbox<PgOutboxClient, Jobs>(
    {
      table,
      byId: table,
      removal(ids) {
        const places = ids.map((_, index) => `$${index + 1}`).join(', ');
        return { text: `DELETE FROM ${table} WHERE id IN (${places})`, values: [...ids] };
      },
      // Where a database has another level for all, two relays would undo each other: both read the same rows, and each removes some of them.
      begin: ['BEGIN ISOLATION LEVEL READ COMMITTED'],
      place: (number) => `$${number}`,
      connect: async () => sessionOf(await pool.connect()),
      run: (client, { text, values }) => client.query(text, values),
      isPool: (client: object) => client === pool,
    },
    options,
  );
}

/** What makes the table of an outbox where there is none. */
export function pgOutboxTable(table: string): string {
  return `CREATE TABLE IF NOT EXISTS ${quotedTable(table, '"')} (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  request_id uuid NOT NULL DEFAULT gen_random_uuid(),
  name text NOT NULL,
  payload text NOT NULL,
  options text,
  refused text
);`;
}

function sessionOf(client: PgPoolClient): OutboxSession {
  let lost = false;
  // The pool listens to clients that it keeps, not to those that it has lent: without a listener a lost connection would end the process.
  const onLost = () => {
    lost = true;
  };
  client.on('error', onLost);
  return {
    rows: async (text, values) => (await client.query(text, values)).rows,
    release(broken) {
      client.removeListener('error', onLost);
      client.release(broken || lost);
    },
  };
}

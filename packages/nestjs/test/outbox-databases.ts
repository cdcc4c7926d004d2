import { mysqlOutbox, mysqlOutboxTable, type Outbox, pgOutbox, pgOutboxTable } from '@holdfast/core';
import mysql, { type RowDataPacket } from 'mysql2/promise';
import pg from 'pg';
import { onTestFinished } from 'vitest';

const POSTGRES = process.env.HOLDFAST_TEST_POSTGRES_URL ?? 'postgres://postgres@127.0.0.1:5432/test';
const MYSQL = process.env.HOLDFAST_TEST_MYSQL_URL ?? 'mysql://root@127.0.0.1:3306/';

/** An outbox in a schema of its own, which is dropped when the test ends, and what a test does to its database. */
export interface OutboxDatabase {
  readonly outbox: Outbox;
  /** Writes jobs in a transaction of their own. */
  place(
    jobs: readonly { name: string; payload: unknown; options?: object }[],
    end: 'COMMIT' | 'ROLLBACK',
  ): Promise<void>;
  /** SQL in which the table is called `outbox`. */
  ask(text: string): Promise<readonly Record<string, unknown>[]>;
  /** Ends each connection that has a transaction open. */
  cutOff(): Promise<void>;
}

const schemaName = () => `outbox_${Date.now()}_${process.pid}_${Math.random().toString(36).slice(2, 8)}`;

/** @param isolation of all transactions that say nothing else */
export async function postgresOutbox(isolation = 'read\\ committed'): Promise<OutboxDatabase | string> {
  const schema = schemaName();
  const options = `-c search_path=${schema} -c default_transaction_isolation=${isolation}`;
  const pool = new pg.Pool({
    connectionString: POSTGRES,
    options,
    application_name: schema,
    connectionTimeoutMillis: 3000,
  });
  pool.on('error', () => {});
  const missing = await pool.query(`CREATE SCHEMA ${schema}`).then(
    () => undefined,
    (error: unknown) => `no PostgreSQL answers at ${POSTGRES}: ${error}`,
  );
  if (missing !== undefined) return missing;
  onTestFinished(async () => {
    await pool.query(`DROP SCHEMA ${schema} CASCADE`);
    await pool.end();
  });
  await pool.query(pgOutboxTable('outbox'));
  const outbox = pgOutbox(pool, { table: `${schema}.outbox` });
  return {
    outbox,
    async place(jobs, end) {
      const client = await pool.connect();
      await client.query('BEGIN');
      for (const { name, payload, options } of jobs) await outbox.add(client, name, payload, options);
      await client.query(end);
      client.release();
    },
    ask: async (text) => (await pool.query(text)).rows,
    async cutOff() {
      const idle = `application_name = '${schema}' AND state = 'idle in transaction'`;
      await pool.query(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE ${idle}`);
    },
  };
}

export interface MysqlOutboxDatabase extends OutboxDatabase {
  /** The same, over connections that have chosen no database. */
  readonly unchosen: Outbox;
}

export async function mysqlOutboxDatabase(): Promise<MysqlOutboxDatabase | string> {
  const schema = schemaName();
  const admin = await mysql.createConnection({ uri: MYSQL, connectTimeout: 3000 }).catch(String);
  if (typeof admin === 'string') return `no MySQL or MariaDB answers at ${MYSQL}: ${admin}`;
  await admin.query(`CREATE DATABASE ${schema}`);
  const url = new URL(MYSQL);
  url.pathname = `/${schema}`;
  const pool = mysql.createPool(url.href);
  const unchosenPool = mysql.createPool(MYSQL);
  onTestFinished(async () => {
    await pool.end();
    await unchosenPool.end();
    await admin.query(`DROP DATABASE ${schema}`);
    await admin.end();
  });
  await pool.query(mysqlOutboxTable('outbox'));
  const table = `${schema}.outbox`;
  const outbox = mysqlOutbox(pool, { table });
  return {
    outbox,
    unchosen: mysqlOutbox(unchosenPool, { table }),
    async place(jobs, end) {
      const connection = await pool.getConnection();
      await connection.beginTransaction();
      for (const { name, payload, options } of jobs) await outbox.add(connection, name, payload, options);
      await connection.query(end);
      connection.release();
    },
    ask: async (text) => (await pool.query<RowDataPacket[]>(text))[0],
    async cutOff() {
      const [sessions] = await admin.query<RowDataPacket[]>(
        'SELECT id FROM information_schema.processlist WHERE db = ? AND id IN (SELECT trx_mysql_thread_id FROM information_schema.innodb_trx)',
        [schema],
      );
      for (const { id } of sessions) await admin.query(`KILL ${Number(id)}`);
    },
  };
}

import process from 'node:process';
import type { JobStore, MetaAnswer, OverviewAnswer } from '@holdfast/contract';
import { openMysqlStore } from '@holdfast/store-mysql';
import { openPostgresStore } from '@holdfast/store-postgres';
import mysql from 'mysql2/promise';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { holdfast } from './rig.js';
import { ServedDashboard } from './served-dashboard.js';

const CONNECT_TIMEOUT_MS = 2000;

interface Database {
  readonly kind: string;
  readonly variable: string;
  readonly local: string;
  ask(url: string, statement: string): Promise<void>;
  open(connectionString: string, schema: string): Promise<JobStore>;
  drop(schema: string): string;
}

const DATABASES: readonly Database[] = [
  {
    kind: 'PostgreSQL',
    variable: 'HOLDFAST_TEST_POSTGRES_URL',
    local: 'postgres://postgres@127.0.0.1:5432/test',
    async ask(connectionString, statement) {
      const client = new pg.Client({ connectionString, connectionTimeoutMillis: CONNECT_TIMEOUT_MS });
      try {
        await client.connect();
        await client.query(statement);
      } finally {
        await client.end().catch(() => {});
      }
    },
    open: (connectionString, schema) => openPostgresStore({ connectionString, schema }),
    drop: (schema) => `drop schema if exists ${schema} cascade`,
  },
  {
    kind: 'MySQL or MariaDB',
    variable: 'HOLDFAST_TEST_MYSQL_URL',
    local: 'mysql://root@127.0.0.1:3306/',
    async ask(uri, statement) {
      const connection = await mysql.createConnection({ uri, connectTimeout: CONNECT_TIMEOUT_MS });
      try {
        await connection.query(statement);
      } finally {
        await connection.end();
      }
    },
    open: (connectionString, schema) => openMysqlStore({ connectionString, schema }),
    drop: (schema) => `drop database if exists ${schema}`,
  },
];

describe.each(DATABASES)('over $kind', ({ kind, variable, local, ask, open, drop }) => {
  const url = process.env[variable] ?? local;
  const schema = `hf_cli_${process.pid}_${Date.now().toString(36)}`;
  let answers = false;

  beforeAll(async () => {
    answers = await ask(url, 'select 1').then(
      () => true,
      (error: unknown) => {
        if (process.env[variable] !== undefined) throw error;
        return false;
      },
    );
  });
  afterAll(async () => {
    if (answers) await ask(url, drop(schema));
  });

  it('refuses a database without a store, and makes none in it', async (context) => {
    context.skip(!answers, `no ${kind} answers at ${local}, and ${variable} names no other one`);
    const ended = await holdfast(['dashboard', url, '--schema', schema]);
    expect([ended.code, ended.out]).toEqual([3, '']);
    expect(ended.err).toContain('migrate: false');
    // A second time: the first has made nothing.
    expect((await holdfast(['dashboard', url, '--schema', schema])).err).toBe(ended.err);
  });

  it('shows the store beside the application, and acts', async (context) => {
    context.skip(!answers, `no ${kind} answers at ${local}, and ${variable} names no other one`);
    const application = await open(url, schema);
    try {
      const [job] = await application.enqueue([{ queue: 'mail', name: 'send', payload: '{}' }]);
      const served = await ServedDashboard.start(url, '--schema', schema);
      await served.enter();
      const { actor, readOnly } = await served.json<MetaAnswer>('meta');
      expect(readOnly).toBeUndefined();
      expect((await served.json<OverviewAnswer>('overview')).queues).toMatchObject([{ counts: { ready: 1 } }]);
      expect((await served.act(`jobs/${job?.id}/acts/cancel`, {})).status).toBe(200);
      expect(await application.job(job?.id ?? '')).toMatchObject({
        state: 'cancelled',
        acts: [{ act: 'cancel', actor }],
      });
      expect(served.err).not.toContain('owns');
      expect(await served.stop()).toBe(0);
    } finally {
      await application.close();
    }
  });
});

import { inSchema } from '@holdfast/sql-store';
import mysql from 'mysql2/promise';
import { expect, it } from 'vitest';
import { SERVER_NOW } from '../src/database.js';
import { boundValues } from '../src/rows.js';
import type { SqlText } from '../src/sql-text.js';
import { claim } from '../src/steps/claim-jobs.js';
import { findTestDatabase, MysqlRig, NO_DATABASE } from './test-database.js';

const JOBS = 2000;
const LIMIT = 10;
const MANY = { timeout: 60_000 };

const database = await findTestDatabase();

/** A claim in a transaction that stays open. */
async function openClaim(
  connection: mysql.Connection,
  schema: string,
  queueId: number,
  names: readonly string[] | null,
) {
  const rows = async <Row>({ text, values }: SqlText) => {
    const [answer] = await connection.query(inSchema(text, schema), boundValues({ text, values } as SqlText));
    return (Array.isArray(answer) ? answer : []) as Row[];
  };
  const random = { fraction: () => 0, bytes: (count: number) => new Uint8Array(count) };
  await connection.query('set transaction isolation level read committed');
  await connection.beginTransaction();
  return claim.run({ now: SERVER_NOW, random, rows }, [[queueId], names, LIMIT, 60_000, 'worker']);
}

it.concurrent('claims that meet take the next jobs each, and nobody waits for another', MANY, async (context) => {
  if (database === undefined) return context.skip(NO_DATABASE);
  const rig = new MysqlRig(database.url, { sweepMs: 60_000 });
  const connections = await Promise.all([0, 1, 2].map(() => mysql.createConnection({ uri: rig.url })));
  try {
    const store = await rig.open();
    // The statistics of the server know of hardly any job.
    await store.enqueue([{ queue: 'mail', name: 'send', payload: '{}' }]);
    await rig.query(`analyze table ${rig.schema}.ready, ${rig.schema}.job, ${rig.schema}.lease`);
    await store.enqueue(
      Array.from({ length: JOBS }, (_, index) => ({ queue: 'mail', name: 'send', payload: '{}', priority: index % 3 })),
    );
    const [queue] = await rig.query<{ id: number }>(`select id from ${rig.schema}.queue where name = 'mail'`);
    const claimed: number[] = [];
    for (const connection of connections) {
      await connection.query('set session innodb_lock_wait_timeout = 1');
      const jobs = await openClaim(connection, rig.schema, queue?.id ?? 0, ['send']);
      expect(jobs).toHaveLength(LIMIT);
      claimed.push(...jobs.map(({ number }) => number));
    }
    // What nobody holds can be had by the next one, at once.
    const free = await rig.query<{ number: number }>(`select number from ${rig.schema}.ready for update skip locked`);
    expect(free).toHaveLength(JOBS + 1 - 3 * LIMIT);
    expect(new Set(claimed).size).toBe(3 * LIMIT);
    const first = await rig.query<{ number: number }>(
      `select number from ${rig.schema}.ready order by priority, rank_ms, number limit ${3 * LIMIT}`,
    );
    expect(claimed.toSorted((one, other) => one - other)).toEqual(
      first.map(({ number }) => number).sort((one, other) => one - other),
    );
  } finally {
    for (const connection of connections) connection.destroy();
    await rig.close();
  }
});

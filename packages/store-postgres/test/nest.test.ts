import { TcpProxy } from '@holdfast/store-trials';
import 'reflect-metadata';
import { setTimeout as pause } from 'node:timers/promises';
import type { Queue } from '@holdfast/core';
import { getQueueToken, HoldfastModule, Process, Processor } from '@holdfast/nestjs';
import { Module } from '@nestjs/common';
import { Test } from '@nestjs/testing';
import pg from 'pg';
import { expect, it, vi } from 'vitest';
import { openPostgresStore, type PostgresTransaction, pgTransaction, postgresStore } from '../src/index.js';
import { findTestDatabase, NO_DATABASE, PostgresRig } from './test-database.js';

interface SumJobs {
  add: { a: number; b: number };
}

@Processor('sums')
class Sums {
  @Process('add')
  add({ payload: { a, b } }: { readonly payload: SumJobs['add'] }) {
    return a + b;
  }
}

/** Longer than the worker's first attempts to go on. */
const OUTAGE_MS = 1500;

const database = await findTestDatabase();

/** An application over a store, as one process of several. */
async function startApp(connectionString: string, schema: string) {
  const store = postgresStore({ connectionString, schema });
  @Module({
    imports: [HoldfastModule.forRoot({ store }), HoldfastModule.registerQueue({ name: 'sums' })],
    providers: [Sums],
  })
  class AppModule {}
  const app = await Test.createTestingModule({ imports: [AppModule] }).compile();
  await app.init();
  return { app, queue: app.get<Queue<SumJobs, PostgresTransaction>>(getQueueToken('sums')) };
}

it('the Nest module works over it: a producer, a processor, a transaction, and an outage', async (context) => {
  if (database === undefined) return context.skip(NO_DATABASE);
  const rig = new PostgresRig(database.url);
  const { hostname, port } = new URL(rig.url);
  const proxy = new TcpProxy({ host: hostname, port: Number(port || 5432) });
  const through = new URL(rig.url);
  through.host = `127.0.0.1:${await proxy.listen()}`;
  const { app, queue } = await startApp(through.href, rig.schema);
  const client = new pg.Client({ connectionString: rig.url });
  try {
    const first = await queue.enqueue('add', { a: 1, b: 2 });
    expect(await queue.waitFor(first.id)).toBe(3);

    await client.connect();
    await client.query('begin');
    const second = await queue.enqueue('add', { a: 3, b: 4 }, { transaction: pgTransaction(client) });
    expect(await queue.job(second.id)).toBeUndefined();
    await client.query('commit');
    expect(await queue.waitFor(second.id)).toBe(7);

    // Nobody restarts the application: its worker claims again by itself.
    proxy.down();
    await pause(OUTAGE_MS);
    proxy.up();
    const other = await openPostgresStore({ connectionString: rig.url, schema: rig.schema });
    const [third] = await other.enqueue([{ queue: 'sums', name: 'add', payload: '{"a":5,"b":6}' }]);
    const stateOf = async () => (await other.job(third?.id ?? ''))?.state;
    await vi.waitFor(async () => expect(await stateOf()).toBe('completed'), { timeout: 20_000, interval: 50 });
    await other.close();
  } finally {
    await client.end();
    await app.close();
    await proxy.close();
    await rig.close();
  }
});

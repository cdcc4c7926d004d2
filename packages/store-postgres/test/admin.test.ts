import 'reflect-metadata';
import type { AddressInfo } from 'node:net';
import type {
  ActivityAnswer,
  BulkOperation,
  BulkOperationAnswer,
  BulkPlanAnswer,
  DeadGroupsAnswer,
  JobAnswer,
  JobsAnswer,
  MetaAnswer,
  OverviewAnswer,
  StorageAnswer,
  WorkersAnswer,
} from '@holdfast/contract';
import { HoldfastAdminModule, HoldfastModule } from '@holdfast/nestjs';
import { Module } from '@nestjs/common';
import { Test } from '@nestjs/testing';
import { expect, it, vi } from 'vitest';
import { type PostgresStore, postgresStore } from '../src/index.js';
import { findTestDatabase, NO_DATABASE, PostgresRig } from './test-database.js';

const API = '/queues/api/v1';
const OWN = { 'Content-Type': 'application/json', 'X-Holdfast-Request': '1', 'Sec-Fetch-Site': 'same-origin' };
const WITHIN = { timeout: 20_000, interval: 50 };

const database = await findTestDatabase();

/** One server of several: an application with nothing in it but the dashboard. */
async function startServer(rig: PostgresRig) {
  const store = postgresStore({ connectionString: rig.url, schema: rig.schema, connectionsMax: 4 });
  const authorize = () => ({ role: 'admin', actor: 'ada' }) as const;
  @Module({
    imports: [
      HoldfastModule.forRoot({ store }),
      HoldfastAdminModule.forRoot({ path: '/queues', authorize, undoWindowMs: 0 }),
    ],
  })
  class ServerModule {}
  const testing = await Test.createTestingModule({ imports: [ServerModule] }).compile();
  const app = testing.createNestApplication();
  await app.listen(0, '127.0.0.1');
  const { port } = app.getHttpServer().address() as AddressInfo;
  const url = (path: string) => `http://127.0.0.1:${port}${API}/${path}`;
  const answered = async <Answer>(path: string, status: number, request: RequestInit = {}): Promise<Answer> => {
    const response = await fetch(url(path), request);
    const answer = await response.json();
    expect([path, response.status, answer]).toEqual([path, status, answer]);
    return answer as Answer;
  };
  return {
    url,
    get: <Answer>(path: string) => answered<Answer>(path, 200),
    post: <Answer>(path: string, body: object = {}, status = 200) =>
      answered<Answer>(path, status, { method: 'POST', headers: OWN, body: JSON.stringify(body) }),
    close: () => app.close(),
  };
}

type Server = Awaited<ReturnType<typeof startServer>>;

async function die(store: PostgresStore, count: number, message: string, queue = 'mail'): Promise<string[]> {
  await store.enqueue(Array.from({ length: count }, () => ({ queue, name: 'send', payload: '{"to":"x"}' })));
  const leased = await store.claim({ queues: [queue], limit: count, leaseMs: 30_000, worker: 'w1' });
  const error = { class: 'TypeError', message };
  // biome-ignore lint/suspicious/noThenProperty: a word of the contract, never awaited
  await store.fail(leased.map(({ id, token }) => ({ id, token, error, then: 'dead' })));
  return leased.map(({ id }) => id);
}

function ended(server: Server, id: string): Promise<BulkOperation> {
  return vi.waitFor(async () => {
    const { operation } = await server.get<BulkOperationAnswer>(`bulk/operations/${id}`);
    expect(['done', 'aborted', 'failed']).toContain(operation.status);
    return operation;
  }, WITHIN);
}

function overServers(name: string, test: (rig: PostgresRig, server: Server, store: PostgresStore) => Promise<void>) {
  it(name, { timeout: 60_000 }, async (context) => {
    if (database === undefined) return context.skip(NO_DATABASE);
    const rig = new PostgresRig(database.url);
    const store = await rig.open();
    const server = await startServer(rig);
    try {
      await test(rig, server, store);
    } finally {
      await server.close();
      await rig.close();
    }
  });
}

overServers(
  'the dashboard has everything but latencies, and shows what another process does',
  async (_, server, store) => {
    expect((await server.get<MetaAnswer>('meta')).features).toMatchObject({
      search: true,
      deadGroups: true,
      bulk: true,
      activity: true,
      workers: true,
      events: true,
      latency: false,
    });
    await die(store, 2, 'mailbox 1 is full');
    await die(store, 1, 'mailbox 2 is full', 'print');
    await die(store, 1, 'other');
    const { groups, total } = await server.get<DeadGroupsAnswer>('dead/groups?text=MAILBOX');
    expect(total).toEqual({ value: 1, relation: 'exact' });
    expect(groups).toMatchObject([
      {
        count: 3,
        message: 'mailbox <number> is full',
        queues: [
          { queue: 'mail', count: 2 },
          { queue: 'print', count: 1 },
        ],
      },
    ]);
    const listed = await server.get<JobsAnswer>(`jobs?errorFingerprint=${groups[0]?.fingerprint}`);
    expect(listed).toMatchObject({ total: { value: 3, relation: 'exact' }, scan: { scanned: 3, exhausted: true } });
    expect((await server.get<JobsAnswer>('jobs?payloadPath=to&payloadValue=x')).total.value).toBe(4);
    const waiting = store.claim({ queues: ['mail'], limit: 7, leaseMs: 30_000, waitMs: 30_000, worker: 'w2' });
    const [job] = await store.enqueue([{ queue: 'print', name: 'page', payload: '{}' }]);
    await server.post('queues/pause', { queue: 'print', reason: 'paper' });
    const { why } = await server.get<JobAnswer>(`jobs/${job?.id}`);
    expect(why?.[0]).toMatchObject({ kind: 'queuePaused', actor: 'ada', reason: 'paper' });
    expect((await server.get<OverviewAnswer>('overview')).totals?.counts).toMatchObject({ dead: 4, ready: 1 });
    expect((await server.get<StorageAnswer>('storage')).report.kind).toBe('postgres');
    await server.post('queues/resume', { queue: 'print' });
    expect((await server.get<ActivityAnswer>('activity')).entries).toMatchObject([
      { act: 'resume', status: 'done', actor: 'ada' },
      { act: 'pause', status: 'done', actor: 'ada', reason: 'paper' },
    ]);
    await vi.waitFor(async () => {
      const { workers } = await server.get<WorkersAnswer>('workers');
      expect(workers).toMatchObject([
        { name: 'w1', queues: ['mail', 'print'], busy: 0 },
        { name: 'w2', queues: ['mail'], free: 7, waiting: true },
      ]);
    }, WITHIN);
    await store.enqueue([{ queue: 'mail', name: 'send', payload: '{}' }]);
    await waiting;
  },
);

overServers(
  'a bulk operation does what was planned, also where its server ends on the way',
  async (rig, first, store) => {
    const ids = await die(store, 30, 'full');
    const target = { act: { kind: 'redrive' }, selection: { filter: { state: 'dead', errorText: 'FULL' } } };
    const { planId, plan } = await first.post<BulkPlanAnswer>('bulk/plans', target);
    expect(plan).toMatchObject({ matched: { value: 30, relation: 'exact' }, eligible: 30 });
    const late = await die(store, 2, 'full');
    const { operation } = await first.post<BulkOperationAnswer>('bulk/operations', { planId, ratePerSecond: 10 }, 202);
    const ready = async () => (await first.get<JobsAnswer>('jobs?state=ready')).total.value;
    await vi.waitFor(async () => expect(await ready()).toBeGreaterThan(2), WITHIN);
    await store.remove({ ids: ids.slice(0, 2) }, { actor: 'somebody else' });
    await first.close();
    const second = await startServer(rig);
    try {
      const { done, skipped, planned, status } = await ended(second, operation.id);
      expect({ status, planned, all: done + (skipped.changed ?? 0) }).toEqual({ status: 'done', planned: 30, all: 30 });
      expect(skipped.changed).toBe(2);
      const left = await second.get<JobsAnswer>('jobs?state=dead');
      expect(left.rows.map(({ id }) => id)).toEqual(late.toReversed());
      expect((await second.get<ActivityAnswer>('activity')).entries).toMatchObject([
        { act: 'bulk redrive', status: 'done', outcome: { matched: 30 } },
      ]);
    } finally {
      await second.close();
    }
  },
);

overServers('its event stream tells of jobs that other processes take', async (_, server, store) => {
  const stop = new AbortController();
  const response = await fetch(server.url('events'), { signal: stop.signal });
  let text = '';
  const reading = (async () => {
    for await (const chunk of response.body ?? []) text += Buffer.from(chunk).toString();
  })().catch(() => {});
  await vi.waitFor(() => expect(text).toContain('event: hello'), WITHIN);
  await store.enqueue([{ queue: 'mail', name: 'send', payload: '{}' }]);
  await vi.waitFor(() => expect(text).toMatch(/"name":"mail".*"ready":1/), WITHIN);
  stop.abort();
  await reading;
});

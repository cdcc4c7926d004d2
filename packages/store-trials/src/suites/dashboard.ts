import 'reflect-metadata';
import type { AddressInfo } from 'node:net';
import type {
  ActivityAnswer,
  BulkOperation,
  BulkOperationAnswer,
  BulkPlanAnswer,
  DeadGroupsAnswer,
  JobActAnswer,
  JobAnswer,
  JobsAnswer,
  MetaAnswer,
  OverviewAnswer,
  StorageAnswer,
  WorkersAnswer,
} from '@holdfast/contract';
import { HoldfastAdminModule, HoldfastModule } from '@holdfast/nestjs';
import type { SqlStore } from '@holdfast/sql-store';
import { Test } from '@nestjs/testing';
import { expect, vi } from 'vitest';
import type { OverRig, TrialRig } from './trial-rig.js';

const API = '/queues/api/v1';
const OWN = { 'Content-Type': 'application/json', 'X-Holdfast-Request': '1', 'Sec-Fetch-Site': 'same-origin' };
const JOB = { name: 'send', payload: '{"to":"x"}' };
const WITHIN = { timeout: 20_000, interval: 50 };

/** One server of several: an application with nothing in it but the dashboard. */
async function startServer<Transaction>(rig: TrialRig<Transaction>) {
  const authorize = () => ({ role: 'admin', actor: 'ada' }) as const;
  const testing = await Test.createTestingModule({
    imports: [
      HoldfastModule.forRoot({ store: rig.source() }),
      HoldfastAdminModule.forRoot({ path: '/queues', authorize, undoWindowMs: 0 }),
    ],
  }).compile();
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

async function die<Transaction>(
  store: SqlStore<Transaction>,
  count: number,
  message: string,
  queue = 'mail',
): Promise<string[]> {
  await store.enqueue(Array.from({ length: count }, () => ({ ...JOB, queue })));
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

interface Around {
  readonly rig: TrialRig<unknown>;
  /** What the storage page calls the store. */
  readonly kind: string;
}

/** By what they show. */
const TRIALS: Readonly<Record<string, (server: Server, store: SqlStore<unknown>, around: Around) => Promise<void>>> = {
  async 'the dashboard has everything but latencies, and shows what another process does'(server, store, { kind }) {
    expect((await server.get<MetaAnswer>('meta')).features).toMatchObject({
      search: true,
      deadGroups: true,
      bulk: true,
      activity: true,
      workers: true,
      events: true,
      transfer: true,
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
    expect((await server.get<StorageAnswer>('storage')).report.kind).toBe(kind);
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

  async 'a bulk operation does what was planned, also where its server ends on the way'(first, store, { rig }) {
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
      expect({ status, planned, all: done + (skipped.changed ?? 0) }).toEqual({
        status: 'done',
        planned: 30,
        all: 30,
      });
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

  async 'jobs go to another queue, one or all that match'(server, store) {
    const [first, second] = await store.enqueue(Array.from({ length: 3 }, () => ({ ...JOB, queue: 'mail' })));
    const { job } = await server.post<JobActAnswer>(`jobs/${first?.id}/acts/transfer`, { queue: 'slow' });
    expect(job).toMatchObject({ id: first?.id, queue: 'slow', state: 'ready' });
    const act = { kind: 'transfer', queue: 'slow' };
    const target = { act, selection: { filter: { state: 'ready', queue: 'mail' } } };
    const { planId, plan } = await server.post<BulkPlanAnswer>('bulk/plans', target);
    expect(plan).toMatchObject({ matched: { value: 2, relation: 'exact' }, eligible: 2 });
    await store.enqueue([{ ...JOB, queue: 'mail' }]);
    const { operation } = await server.post<BulkOperationAnswer>('bulk/operations', { planId }, 202);
    expect(await ended(server, operation.id)).toMatchObject({ status: 'done', done: 2 });
    expect((await server.get<JobsAnswer>('jobs?queue=slow')).total.value).toBe(3);
    expect((await server.get<JobsAnswer>('jobs?queue=mail')).total.value).toBe(1);
    const moved = await server.get<JobAnswer>(`jobs/${second?.id}`);
    expect(moved.job.acts).toMatchObject([{ act: 'transfer', actor: 'ada', fromQueue: 'mail', toQueue: 'slow' }]);
  },

  async 'its event stream tells of jobs that other processes take'(server, store) {
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
  },
};

/** The dashboard over servers of their own, none of which does a job. */
export function exerciseDashboard<Transaction>(overRig: OverRig<Transaction>, kind: string): void {
  for (const [name, trial] of Object.entries(TRIALS)) {
    overRig(name, async (rig) => {
      const store = await rig.open();
      const server = await startServer(rig);
      try {
        await trial(server, store, { rig, kind });
      } finally {
        await server.close();
      }
    });
  }
}

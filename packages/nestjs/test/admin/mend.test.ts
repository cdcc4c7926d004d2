import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type {
  ActivityAnswer,
  BulkOperation,
  BulkOperationAnswer,
  BulkOperationsAnswer,
  BulkPlanAnswer,
  BulkTarget,
  CloneAnswer,
  DeadGroupsAnswer,
  JobAnswer,
  JobStore,
  JobsAnswer,
  NewJob,
  OverviewAnswer,
  WorkersAnswer,
} from '@holdfast/contract';
import { StoreFailedError, StoreFullError } from '@holdfast/contract';
import { openLogStore } from '@holdfast/core';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { HoldfastAdminSettings } from '../../src/admin/admin-options.js';
import { type AdminApp, operator, PLATFORMS, startAdminApp, viewer } from './admin-app.js';

const API = '/admin/queues/api/v1';
const OWN = { 'Content-Type': 'application/json', 'X-Holdfast-Request': '1', 'Sec-Fetch-Site': 'same-origin' };
const admin: HoldfastAdminSettings = {
  authorize: () => ({ role: 'admin', actor: 'ada@example.org' }),
  undoWindowMs: 0,
};

describe.each(PLATFORMS)('mending jobs of a log store, on %s', (platform) => {
  let directory: string;
  let store: JobStore;
  let app: AdminApp;

  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), 'holdfast-mend-'));
    store = await openLogStore({ directory });
  });
  afterEach(async () => {
    await app.close();
    await store.close();
    await rm(directory, { recursive: true, force: true });
  });

  const start = async (settings: HoldfastAdminSettings) => {
    app = await startAdminApp(platform, { settings, store });
  };
  const get = async <Answer>(path: string): Promise<Answer> => (await app.http.get(`${API}/${path}`).expect(200)).body;
  const post = (path: string, body: object = {}) => app.http.post(`${API}/${path}`).set(OWN).send(body);
  const posted = async <Answer>(path: string, body: object, status = 200): Promise<Answer> => {
    const answer = await post(path, body);
    expect([path, answer.status, answer.body]).toEqual([path, status, answer.body]);
    return answer.body;
  };

  async function dead(count: number, message = 'mailbox 1 is full', job: Partial<NewJob> = {}): Promise<string[]> {
    const queue = job.queue ?? 'mail';
    const jobs = Array.from({ length: count }, () => ({ queue, name: 'send', payload: '{"to":"x"}', ...job }));
    await store.enqueue(jobs);
    const leased = await store.claim({ queues: [queue], limit: count, leaseMs: 30_000, waitMs: 5000, worker: 'w1' });
    const error = { class: 'TypeError', message };
    // biome-ignore lint/suspicious/noThenProperty: the contract's word; never awaited.
    await store.fail(leased.map(({ id, token }) => ({ id, token, error, then: 'dead' })));
    return leased.map(({ id }) => id);
  }

  async function ended(id: string): Promise<BulkOperation> {
    return vi.waitFor(
      async () => {
        const { operation } = await get<BulkOperationAnswer>(`bulk/operations/${id}`);
        expect(['done', 'aborted', 'failed']).toContain(operation.status);
        return operation;
      },
      { timeout: 20_000, interval: 50 },
    );
  }

  const count = async (state: string) => (await get<JobsAnswer>(`jobs?state=${state}`)).total.value;

  it('finds dead jobs by what killed them, and says why a job waits', async () => {
    await start(viewer);
    await dead(2);
    await dead(1, 'mailbox 2 is full');
    await dead(1, 'other');
    const { groups } = await get<DeadGroupsAnswer>('dead/groups?text=MAILBOX');
    expect(groups).toMatchObject([
      { count: 3, message: 'mailbox <number> is full', queues: [{ queue: 'mail', count: 3 }] },
    ]);
    const listed = await get<JobsAnswer>(`jobs?errorFingerprint=${groups[0]?.fingerprint}`);
    expect(listed.total).toEqual({ value: 3, relation: 'exact' });
    expect(await get<JobsAnswer>('jobs?payloadPath=to&payloadValue=x')).toMatchObject({
      scan: { scanned: 4, exhausted: true },
    });
    const [job] = await store.enqueue([{ queue: 'print', name: 'page', payload: '{}' }]);
    const { why } = await get<JobAnswer>(`jobs/${job?.id}`);
    expect(why).toEqual([{ kind: 'noHandler', queueWorkers: 0 }]);
    await store.pause('print', { actor: 'ann', reason: 'paper' });
    expect((await get<JobAnswer>(`jobs/${job?.id}`)).why).toMatchObject([
      { kind: 'queuePaused', actor: 'ann', reason: 'paper' },
      { kind: 'noHandler' },
    ]);
    expect((await get<WorkersAnswer>('workers')).workers).toMatchObject([{ name: 'w1', queues: ['mail'] }]);
    const overview = await get<OverviewAnswer>('overview');
    expect(overview.totals).toMatchObject({ counts: { dead: 4, ready: 1 } });
    await app.http.get(`${API}/latency?measure=append&stepMs=1000`).expect(200);
    await app.http.get(`${API}/latency?measure=nothing&stepMs=1000`).expect(400);
    await app.http.get(`${API}/jobs?payloadPath=to`).expect(400);
  });

  it('makes one copy of a job for one request, however often and however much at once it comes', async () => {
    await start({ ...admin, allowClone: true });
    const [id] = await dead(1);
    const clone = async (body: object) => (await posted<CloneAnswer>(`jobs/${id}/acts/clone`, body)).id;
    const body = { payload: '{"to":"y"}', reason: 'typed', requestId: 'r-1' };
    const [first, ...others] = await Promise.all([clone(body), clone(body), clone(body)]);
    expect([...others, await clone(body)]).toEqual([first, first, first]);
    expect(await count('ready')).toBe(1);
    const { entries } = await get<ActivityAnswer>('activity');
    expect(entries).toMatchObject([{ act: 'clone', status: 'done', target: { ids: [id] }, cloned: first }]);
    // Another payload, reason, id or none makes another copy.
    await clone({ ...body, payload: '{"to":"z"}' });
    await clone({ ...body, reason: 'anew' });
    await clone({ ...body, requestId: 'r-2' });
    await clone({ reason: 'typed' });
    expect(await count('ready')).toBe(5);
    const tooLong = await post(`jobs/${id}/acts/clone`, { requestId: 'r'.repeat(201) });
    expect([tooLong.status, tooLong.body.field]).toEqual([400, 'requestId']);
  });

  it('copies a job once more where a request has failed with nothing stored, and not where nobody knows', async () => {
    await start({ ...admin, allowClone: true });
    const [id] = await dead(1);
    const clone = vi.spyOn(store, 'clone');
    const body = { requestId: 'r-1' };
    clone.mockRejectedValueOnce(new StoreFullError('data/queue', 0));
    await posted(`jobs/${id}/acts/clone`, body, 507);
    const { id: copy } = await posted<CloneAnswer>(`jobs/${id}/acts/clone`, body);
    expect((await posted<CloneAnswer>(`jobs/${id}/acts/clone`, body)).id).toBe(copy);
    clone.mockRejectedValueOnce(new StoreFailedError('unknown', 'The connection was lost.'));
    const unknown = { requestId: 'r-2' };
    await posted(`jobs/${id}/acts/clone`, unknown, 503);
    expect(await posted(`jobs/${id}/acts/clone`, unknown, 409)).toMatchObject({ code: 'REQUEST_UNFINISHED' });
    expect(await count('ready')).toBe(1);
  });

  it('keeps as many entries of the audit as it says, also where no process lives for a hundred acts', async () => {
    const entry = { atMs: 1, actor: 'ada', role: 'admin', act: 'redrive', target: {}, status: 'done' };
    const old = { queue: 'holdfast.activity', name: 'redrive', payload: JSON.stringify(entry), delayMs: 86_400_000 };
    for (let kept = 0; kept < 10_050; kept += 1005) await store.enqueue(Array.from({ length: 1005 }, () => old));
    await start(admin);
    const [id] = await dead(1);
    await posted(`jobs/${id}/acts/redrive`, {});
    const [queue] = await store.queues(['holdfast.activity']);
    expect(queue?.counts.scheduled).toBe(10_000);
    expect((await get<ActivityAnswer>('activity?limit=1')).entries).toMatchObject([{ target: { ids: [id] } }]);
  });

  it('does an act although what is too old cannot be removed', async () => {
    await start(admin);
    const [id] = await dead(1);
    vi.spyOn(store, 'queues').mockRejectedValueOnce(new StoreFailedError('unknown', 'The connection was lost.'));
    await posted(`jobs/${id}/acts/redrive`, {});
  });

  it('does single acts, refuses them in other states, and notes each with actor and reason', async () => {
    await start(admin);
    const [id] = await dead(1);
    await posted(`jobs/${id}/acts/runNow`, {}, 409);
    expect(await posted(`jobs/${id}/acts/redrive`, { reason: ' fixed ' })).toMatchObject({
      job: { id, state: 'ready' },
    });
    expect(await posted(`jobs/${id}/acts/reprioritise`, { priority: 7 })).toMatchObject({ job: { priority: 7 } });
    await posted(`jobs/${id}/acts/clone`, {}, 403);
    expect(await posted(`jobs/${id}/acts/remove`, {})).not.toHaveProperty('job');
    await posted(`jobs/${id}/acts/remove`, {}, 404);
    expect(await posted('queues/pause', { queue: 'mail/ö', reason: 'r' })).toMatchObject({
      paused: { actor: 'ada@example.org' },
    });
    expect(await posted('queues/resume', { queue: 'mail/ö' })).toMatchObject({ resumed: true });
    const { entries } = await get<ActivityAnswer>('activity');
    expect(entries.map(({ act, status }) => `${act} ${status}`)).toEqual([
      'resume done',
      'pause done',
      'remove done',
      'reprioritise done',
      'redrive done',
    ]);
    expect(entries.at(-1)).toMatchObject({
      actor: 'ada@example.org',
      role: 'admin',
      reason: 'fixed',
      target: { ids: [id] },
      outcome: { matched: 1, done: 1 },
    });
    expect((await get<OverviewAnswer>('overview')).queues.map(({ name }) => name)).toEqual(['mail', 'mail/ö']);
  });

  it('takes one job, or all that match, to another queue', async () => {
    await start(operator);
    const jobs = await store.enqueue(
      [0, 1, 2, 3].map((number) => ({ queue: 'mail', name: 'send', payload: '{}', delayMs: number * 60_000 })),
    );
    const [first, second] = jobs.map(({ id }) => id);
    const moved = await posted(`jobs/${first}/acts/transfer`, { queue: 'slow', reason: 'too many' });
    expect(moved).toMatchObject({ job: { id: first, queue: 'slow', state: 'ready' } });
    const again = await post(`jobs/${first}/acts/transfer`, { queue: 'slow' }).expect(409);
    expect(again.body).toMatchObject({ code: 'JOB_STATE', detail: expect.stringContaining('in that queue already') });
    await posted(`jobs/${(await dead(1))[0]}/acts/transfer`, { queue: 'slow' }, 409);
    await posted(`jobs/${first}/acts/transfer`, { queue: 'holdfast.activity' }, 403);
    await posted(`jobs/${first}/acts/transfer`, {}, 400);

    const act = { kind: 'transfer', queue: 'slow' } as const;
    const target: BulkTarget = { act, selection: { filter: { queue: 'mail' } } };
    const { planId, plan } = await posted<BulkPlanAnswer>('bulk/plans', target);
    expect(plan).toMatchObject({ eligible: 3, ineligible: { dead: 1 } });
    await store.cancel({ ids: [second ?? ''] }, { actor: 'somebody else' });
    const { operation } = await posted<BulkOperationAnswer>('bulk/operations', { planId }, 202);
    expect(await ended(operation.id)).toMatchObject({ status: 'done', planned: 3, done: 2, skipped: { changed: 1 } });
    expect((await get<JobsAnswer>('jobs?queue=slow')).rows.map(({ state }) => state)).toEqual([
      'scheduled',
      'scheduled',
      'ready',
    ]);
    const own = { act: { ...act, queue: 'holdfast.activity' }, selection: target.selection };
    await posted('bulk/plans', own, 403);
    const { entries } = await get<ActivityAnswer>('activity');
    expect(entries.map(({ act: did, target: of }) => [did, of.toQueue])).toEqual([
      ['bulk transfer', 'slow'],
      ['transfer', 'slow'],
      ['transfer', 'slow'],
    ]);
  });

  it('allows an operator no removal, and a viewer nothing but plans', async () => {
    await start(operator);
    const [id] = await dead(1);
    await posted(`jobs/${id}/acts/remove`, {}, 403);
    const target: BulkTarget = { act: { kind: 'remove' }, selection: { filter: { state: 'dead' } } };
    const { planId } = await posted<BulkPlanAnswer>('bulk/plans', target);
    await posted('bulk/operations', { planId, reason: 'r' }, 403);
    await app.close();
    await start(viewer);
    const plan = await posted<BulkPlanAnswer>('bulk/plans', target);
    expect(plan.plan).toMatchObject({ matched: { value: 1, relation: 'exact' }, eligible: 1, ineligible: {} });
    await posted('bulk/operations', { planId: plan.planId, reason: 'r' }, 403);
    await posted('queues/pause', { queue: 'mail' }, 403);
    expect(await count('dead')).toBe(1);
  });

  it('redrives exactly what was planned, whatever dies meanwhile', async () => {
    await start(admin);
    await dead(3);
    await dead(7, 'other', { queue: 'bulk' });
    const target: BulkTarget = { act: { kind: 'redrive' }, selection: { filter: { state: 'dead', queue: 'mail' } } };
    const { planId, plan } = await posted<BulkPlanAnswer>('bulk/plans', target);
    expect(plan).toMatchObject({ matched: { value: 3 }, eligible: 3, queues: [{ queue: 'mail', count: 3 }] });
    await dead(2);
    const { operation } = await posted<BulkOperationAnswer>('bulk/operations', { planId, ratePerSecond: 1000 }, 202);
    expect(await ended(operation.id)).toMatchObject({ status: 'done', planned: 3, done: 3, skipped: {} });
    expect(await count('dead')).toBe(9);
    // Written right after the end of the operation.
    await vi.waitFor(async () =>
      expect((await get<ActivityAnswer>('activity')).entries).toMatchObject([
        {
          act: 'bulk redrive',
          status: 'done',
          outcome: { matched: 3, done: 3 },
          target: { filter: { queue: 'mail' } },
        },
      ]),
    );
  });

  it('paces, pauses, goes on after a restart of the server, and counts what went elsewhere', async () => {
    await start(admin);
    const ids = await dead(30);
    const target: BulkTarget = { act: { kind: 'redrive' }, selection: { filter: { state: 'dead' } } };
    const { planId } = await posted<BulkPlanAnswer>('bulk/plans', target);
    const created = await posted<BulkOperationAnswer>('bulk/operations', { planId, ratePerSecond: 10 }, 202);
    const path = `bulk/operations/${created.operation.id}`;
    await vi.waitFor(async () => expect(await count('ready')).toBeGreaterThan(2), { timeout: 20_000 });
    await posted(`${path}/pause`, {});
    await vi.waitFor(async () => expect((await get<BulkOperationAnswer>(path)).operation.status).toBe('paused'), {
      timeout: 20_000,
    });
    const { operation } = await get<BulkOperationAnswer>(path);
    expect(operation.done).toBe(await count('ready'));
    await store.remove({ ids: ids.slice(0, 2) }, { actor: 'somebody else' });
    await posted(`${path}/resume`, {});
    await app.close();
    await start(admin);
    const { done, skipped, planned, status } = await ended(created.operation.id);
    expect({ status, planned, sum: done + (skipped.changed ?? 0) }).toEqual({ status: 'done', planned: 30, sum: 30 });
    expect(skipped.changed).toBe(2);
    expect(await count('dead')).toBe(0);
  }, 60_000);

  it('lets nobody touch what it keeps for itself', async () => {
    await start(admin);
    await posted('queues/pause', { queue: 'mail' });
    const [entry] = (await get<ActivityAnswer>('activity')).entries;
    const own = [{ ids: [entry?.id ?? ''] }, { filter: { queue: 'holdfast.activity' } }];
    for (const selection of own) await posted('bulk/plans', { act: { kind: 'remove' }, selection }, 403);
    // A plan that was never made.
    const asOf = (await store.plan?.({ all: {} }))?.asOf;
    for (const selection of own) {
      const plan = { target: { act: { kind: 'remove' }, selection }, asOf, planned: 1, expiresAtMs: 8e15 };
      const planId = Buffer.from(JSON.stringify(plan)).toString('base64url');
      await posted('bulk/operations', { planId, reason: 'r' }, 403);
    }
    // By its name or id it can be looked at.
    expect((await get<JobsAnswer>('jobs?queue=holdfast.activity')).rows.map(({ id }) => id)).toEqual([entry?.id]);
    expect((await get<JobAnswer>(`jobs/${entry?.id}`)).job).toMatchObject({
      id: entry?.id,
      queue: 'holdfast.activity',
    });
    for (const act of ['remove', 'runNow', 'cancel']) {
      const refused = await post(`jobs/${entry?.id}/acts/${act}`).expect(403);
      expect(refused.body).toMatchObject({ code: 'OWN_QUEUE', field: 'id' });
    }
    await posted('queues/pause', { queue: 'holdfast.operation-runs' }, 403);
    expect((await get<ActivityAnswer>('activity')).entries).toHaveLength(1);
    expect((await get<JobsAnswer>('jobs')).rows).toEqual([]);
  });

  it('begins one operation however often it is asked for under a request id, also at the same time', async () => {
    await start({ ...admin, undoWindowMs: 3_600_000 });
    await dead(2);
    const target: BulkTarget = { act: { kind: 'remove' }, selection: { filter: { state: 'dead' } } };
    const { planId } = await posted<BulkPlanAnswer>('bulk/plans', target);
    const body = { planId, reason: 'old', requestId: 'r-1' };
    const asked = () => posted<BulkOperationAnswer>('bulk/operations', body, 202);
    const [first, ...others] = await Promise.all([asked(), asked(), asked()]);
    for (const { operation } of others) expect(operation).toEqual(first.operation);
    const refused = await post('bulk/operations', { ...body, reason: 'another' }).expect(409);
    expect(refused.body).toMatchObject({ code: 'REQUEST_MISMATCH', field: 'requestId' });

    await posted(`bulk/operations/${first.operation.id}/abort`, {});
    await app.close();
    await start({ ...admin, undoWindowMs: 3_600_000 });
    // Late, and at another server: it does not begin again what was taken back.
    expect((await asked()).operation).toMatchObject({ id: first.operation.id, status: 'aborted' });
    const { operations } = await get<BulkOperationsAnswer>('bulk/operations');
    expect(operations.map(({ id }) => id)).toEqual([first.operation.id]);
    const { entries } = await get<ActivityAnswer>('activity');
    expect(entries.map(({ act }) => act)).toEqual(['bulk remove']);
    expect(await count('dead')).toBe(2);

    const other = await posted<BulkOperationAnswer>('bulk/operations', { ...body, requestId: 'r-2' }, 202);
    expect(other.operation.id).not.toBe(first.operation.id);
  });

  it('makes of a repeated request what a server that ended midway has left out', async () => {
    app = await startAdminApp(platform, { settings: admin, store: losingOnce(store, 'holdfast.operation-runs') });
    await dead(2);
    const target: BulkTarget = { act: { kind: 'redrive' }, selection: { filter: { state: 'dead' } } };
    const { planId } = await posted<BulkPlanAnswer>('bulk/plans', target);
    const body = { planId, requestId: 'r-1' };
    await posted('bulk/operations', body, 503);
    const { operation } = await posted<BulkOperationAnswer>('bulk/operations', body, 202);
    expect(await ended(operation.id)).toMatchObject({ status: 'done', done: 2 });
    expect((await get<BulkOperationsAnswer>('bulk/operations')).operations).toHaveLength(1);
  });

  it('leaves every job alone where a removal is aborted in time', async () => {
    await start({ ...admin, undoWindowMs: 3_600_000 });
    await dead(2);
    const target: BulkTarget = { act: { kind: 'remove' }, selection: { filter: { state: 'dead' } } };
    const { planId } = await posted<BulkPlanAnswer>('bulk/plans', target);
    await posted('bulk/operations', { planId }, 400);
    const { operation } = await posted<BulkOperationAnswer>('bulk/operations', { planId, reason: 'old' }, 202);
    expect(operation.startsAtMs - operation.createdAtMs).toBe(3_600_000);
    const aborted = await posted<BulkOperationAnswer>(`bulk/operations/${operation.id}/abort`, {});
    expect(aborted.operation).toMatchObject({ status: 'aborted', done: 0 });
    await posted(`bulk/operations/${operation.id}/resume`, {}, 409);
    expect(await count('dead')).toBe(2);
  });

  it('acts on ids, drains a queue, and refuses what is no plan', async () => {
    await start(admin);
    const ids = await dead(3);
    const byId = await posted<BulkPlanAnswer>('bulk/plans', {
      act: { kind: 'remove' },
      selection: { ids: [...ids, 'zzzzz-1'] },
    });
    expect(byId.plan).toMatchObject({ matched: { value: 4 }, eligible: 3, ineligible: { missing: 1 } });
    const removal = await posted<BulkOperationAnswer>('bulk/operations', { planId: byId.planId, reason: 'r' }, 202);
    expect(await ended(removal.operation.id)).toMatchObject({ done: 3, skipped: { missing: 1 } });
    await store.enqueue([
      { queue: 'old', name: 'n', payload: '' },
      { queue: 'old', name: 'n', payload: '', delayMs: 60_000 },
      { queue: 'kept', name: 'n', payload: '' },
    ]);
    const drain = await posted<BulkPlanAnswer>('bulk/plans', {
      act: { kind: 'drain' },
      selection: { filter: { queue: 'old' } },
    });
    expect(drain.plan.eligible).toBe(2);
    const drained = await posted<BulkOperationAnswer>('bulk/operations', { planId: drain.planId }, 202);
    expect(await ended(drained.operation.id)).toMatchObject({ done: 2 });
    expect([await count('cancelled'), await count('ready')]).toEqual([2, 1]);
    await posted('bulk/plans', { act: { kind: 'drain' }, selection: { filter: {} } }, 400);
    await posted('bulk/operations', { planId: 'eyJhIjoxfQ' }, 400);
    await posted('bulk/operations', { planId: byId.planId, ratePerSecond: 0, reason: 'r' }, 400);
    const nothing = await posted<BulkPlanAnswer>('bulk/plans', {
      act: { kind: 'redrive' },
      selection: { filter: { state: 'dead' } },
    });
    await posted('bulk/operations', { planId: nothing.planId }, 422);
    await app.http.get(`${API}/bulk/operations/zzzzz-9`).expect(404);
  });
});

/** The store, but that the first job for a queue does not get to it: as where its server ends just then. */
function losingOnce(store: JobStore, queue: string): JobStore {
  let isLost = false;
  const enqueue: JobStore['enqueue'] = async (jobs, options) => {
    if (isLost || jobs[0]?.queue !== queue) return store.enqueue(jobs, options);
    isLost = true;
    throw new StoreFailedError('unknown', 'The connection was lost.');
  };
  return new Proxy(store, {
    get(target, name) {
      const value: unknown = name === 'enqueue' ? enqueue : Reflect.get(target, name);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
}

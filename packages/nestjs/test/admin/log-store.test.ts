import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { JobAnswer, JobStore, JobsAnswer, LeasesAnswer, OverviewAnswer, StorageAnswer } from '@holdfast/contract';
import { openLogStore } from '@holdfast/core';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type AdminApp, operator, PLATFORMS, startAdminApp } from './admin-app.js';

const API = '/admin/queues/api/v1';
const OWN = { 'X-Holdfast-Request': '1', 'Sec-Fetch-Site': 'same-origin' };
const PAYLOAD = JSON.stringify({ to: 'é@example.org', body: 'x'.repeat(70_000) });

describe.each(PLATFORMS)('over a log store, on %s', (platform) => {
  let directory: string;
  let store: JobStore;
  let app: AdminApp;

  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), 'holdfast-admin-'));
    store = await openLogStore({ directory });
    app = await startAdminApp(platform, { settings: operator, store });
  });
  afterEach(async () => {
    await app.close();
    await store.close();
    await rm(directory, { recursive: true, force: true });
  });

  const get = async <Answer>(path: string): Promise<Answer> => (await app.http.get(`${API}/${path}`).expect(200)).body;

  /** Lets one job fail for good. */
  async function killOne(queue: string): Promise<string> {
    const [enqueued] = await store.enqueue([{ queue, name: 'send', payload: PAYLOAD, maxAttempts: 1 }]);
    const [leased] = await store.claim({ queues: [queue], limit: 1, leaseMs: 30_000, waitMs: 5000, worker: 'w1' });
    expect(leased?.id).toBe(enqueued?.id);
    const { id, token } = leased!;
    const error = { class: 'TypeError', message: 'no mailbox', stack: 'TypeError: no mailbox\n    at send' };
    // biome-ignore lint/suspicious/noThenProperty: the contract's word; never awaited.
    expect(await store.fail([{ id, token, error, then: 'backoff' }])).toEqual(['ok']);
    return id;
  }

  it('shows a dead job, redrives it with actor and reason, and shows its lease', async () => {
    const queue = 'mail/ö?#';
    const id = await killOne(queue);

    const overview = await get<OverviewAnswer>('overview');
    expect(overview.health.status).toBe('open');
    expect(overview.queues).toMatchObject([{ name: queue, counts: { dead: 1, ready: 0 } }]);
    const dead = await get<JobsAnswer>(`jobs?state=dead&queue=${encodeURIComponent(queue)}`);
    expect(dead.rows).toMatchObject([{ id, state: 'dead', lastError: { class: 'TypeError', message: 'no mailbox' } }]);
    expect(dead.total).toEqual({ value: 1, relation: 'exact' });
    expect(JSON.stringify(dead)).not.toContain('xxx');

    const { job } = await get<JobAnswer>(`jobs/${id}`);
    expect(job.payload).toMatchObject({ encoding: 'text', truncated: true, bytes: Buffer.byteLength(PAYLOAD) });
    expect(PAYLOAD.startsWith(job.payload.text)).toBe(true);
    expect(job.attemptLog).toMatchObject([
      { attempt: 1, worker: 'w1', outcome: 'failed', error: { class: 'TypeError' } },
    ]);

    const body = { ids: [id, 'zzzzz-1'], reason: 'mailbox is back' };
    const redriven = await app.http.post(`${API}/redrives`).set(OWN).send(body).expect(200);
    expect(redriven.body.outcome).toEqual({ matched: 2, done: 1, skipped: { missing: 1 } });
    const after = await get<JobAnswer>(`jobs/${id}`);
    expect(after.job).toMatchObject({ state: 'ready', attempts: 0 });
    expect(after.job.acts).toMatchObject([
      { act: 'redrive', actor: 'olga@example.org', reason: 'mailbox is back', atMs: expect.any(Number) },
    ]);

    const [leased] = await store.claim({ queues: [queue], limit: 1, leaseMs: 30_000, waitMs: 5000, worker: 'w2' });
    const { leases } = await get<LeasesAnswer>('leases');
    expect(leases).toMatchObject([{ id, worker: 'w2', attempt: 1, token: leased?.token }]);
    expect(leases[0]?.remainingMs).toBeGreaterThan(20_000);
  });

  it('redrives all dead jobs of one queue and of no other', async () => {
    const [mail, bulk] = [await killOne('mail'), await killOne('bulk')];
    const redriven = await app.http
      .post(`${API}/redrives`)
      .set(OWN)
      .send({ allDead: { queue: 'mail' } })
      .expect(200);
    expect(redriven.body.outcome).toEqual({ matched: 1, done: 1, skipped: {} });
    expect((await get<JobAnswer>(`jobs/${mail}`)).job.state).toBe('ready');
    expect((await get<JobAnswer>(`jobs/${bulk}`)).job.state).toBe('dead');
  });

  it('pages through jobs, and refuses a cursor that is none', async () => {
    await store.enqueue(Array.from({ length: 5 }, (_, n) => ({ queue: 'mail', name: `n${n}`, payload: '{}' })));
    const seen: string[] = [];
    let cursor: string | undefined;
    do {
      const page = await get<JobsAnswer>(
        `jobs?limit=2${cursor === undefined ? '' : `&cursor=${encodeURIComponent(cursor)}`}`,
      );
      seen.push(...page.rows.map((row) => row.name));
      cursor = page.next;
    } while (cursor !== undefined);
    expect(seen).toEqual(['n4', 'n3', 'n2', 'n1', 'n0']);
    const answer = await app.http.get(`${API}/jobs?cursor=nonsense`).expect(400);
    expect(answer.body.code).toBe('CURSOR_INVALID');
  });

  it('shows where the jobs are kept', async () => {
    await killOne('mail');
    const { report, metrics, health } = await get<StorageAnswer>('storage');
    expect(health.status).toBe('open');
    expect(report).toMatchObject({ kind: 'log', location: directory, recovery: { kind: 'new' } });
    expect(report.segments).toMatchObject([{ state: 'active', firstSeq: expect.any(String) }]);
    expect(metrics.totals).toMatchObject({ enqueued: 1, claimed: 1, failed: 1, dead: 1 });
  });

  it('knows no job of a foreign or hostile id', async () => {
    for (const id of ['..a', 'a/b', '\u202e', '%', 'zzzzz-1', "' or 1=1", '__proto__']) {
      const answer = await app.raw(`${API}/jobs/${encodeURIComponent(id)}`);
      expect([id, answer.status, JSON.parse(answer.text).code]).toEqual([id, 404, 'JOB_NOT_FOUND']);
    }
  });

  it('answers 503 when the store is closed, and still says who is asking', async () => {
    await store.close();
    const answer = await app.http.get(`${API}/overview`).expect(503);
    expect(answer.body.code).toBe('STORE_CLOSED');
    await app.http.get(`${API}/meta`).expect(200);
  });
});

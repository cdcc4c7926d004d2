import type { MetaAnswer, OverviewAnswer } from '@holdfast/contract';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { API_ROUTES } from '../../src/admin/api-routes.js';
import { type AdminApp, PLATFORMS, startAdminApp } from './admin-app.js';
import { deadJob, FakeJobStore } from './fake-job-store.js';

const API = '/admin/queues/api/v1';
const OWN = { 'Content-Type': 'application/json', 'X-Holdfast-Request': '1', 'Sec-Fetch-Site': 'same-origin' };
const BECAUSE = 'Process 4711 has it open.';
const admin = { authorize: () => ({ role: 'admin' as const, actor: 'ada@example.org' }), allowClone: true };

describe.each(PLATFORMS)('over a store that only shows jobs, on %s', (platform) => {
  let app: AdminApp;
  let store: FakeJobStore;
  beforeEach(async () => {
    store = new FakeJobStore();
    store.capabilities = { ...store.capabilities, readOnly: { because: BECAUSE } };
    store.jobs.set('abcde-1', deadJob('abcde-1'));
    app = await startAdminApp(platform, { settings: admin, store });
  });
  afterEach(() => app.close());

  it('says so, and why', async () => {
    const meta: MetaAnswer = (await app.http.get(`${API}/meta`).expect(200)).body;
    expect(meta).toMatchObject({ role: 'admin', readOnly: { because: BECAUSE } });
    store.health = () => ({ status: 'open', reopened: 0, asOfMs: 42 });
    const overview: OverviewAnswer = (await app.http.get(`${API}/overview`).expect(200)).body;
    expect(overview.health.asOfMs).toBe(42);
  });

  it('refuses every act before it is looked at, whatever the role', async () => {
    const acts = API_ROUTES.filter(({ role }) => role !== 'viewer');
    expect(acts.length).toBeGreaterThan(10);
    for (const { path } of acts) {
      const answer = await app.http
        .post(`${API}/${path.replace(':id', 'abcde-1')}`)
        .set(OWN)
        .send('{}');
      expect([path, answer.status, answer.body.code]).toEqual([path, 403, 'STORE_READ_ONLY']);
      expect(answer.body.detail).toContain(BECAUSE);
    }
    expect([store.redriven, store.enqueued, store.asked]).toEqual([[], [], []]);
  });

  it('shows jobs', async () => {
    await app.http.get(`${API}/jobs/abcde-1`).expect(200);
    expect((await app.http.get(`${API}/jobs`).expect(200)).body.rows).toHaveLength(1);
  });
});

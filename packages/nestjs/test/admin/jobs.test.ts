import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { HoldfastAdminSettings } from '../../src/admin/admin-options.js';
import { type AdminApp, PLATFORMS, startAdminApp, viewer } from './admin-app.js';
import { deadJob, FakeJobStore } from './fake-job-store.js';

const ROUTE = '/admin/queues/api/v1/jobs';

describe.each(PLATFORMS)('GET jobs on %s', (platform) => {
  let app: AdminApp;
  let store: FakeJobStore;
  const start = async (settings: HoldfastAdminSettings = viewer) => {
    app = await startAdminApp(platform, { settings, store });
    return app.http;
  };
  beforeEach(() => {
    store = new FakeJobStore();
  });
  afterEach(() => app.close());

  it('lists rows by filter and page', async () => {
    store.jobs.set('abcde-1', deadJob('abcde-1'));
    const http = await start();
    const plain = await http.get(ROUTE).expect(200);
    expect(plain.body).toMatchObject({ rows: [{ id: 'abcde-1' }], total: { value: 1, relation: 'exact' } });
    expect(plain.body.rows[0]).not.toHaveProperty('payload');
    await http.get(`${ROUTE}?state=dead&queue=a%2Fb%20%C3%A9&name=send&limit=200&cursor=c%2B1`).expect(200);
    expect(store.browsed).toEqual([
      { filter: {}, page: { limit: 50 } },
      { filter: { state: 'dead', queue: 'a/b é', name: 'send' }, page: { limit: 200, cursor: 'c+1' } },
    ]);
  });

  it.each([
    ['state', 'state=done'],
    ['state', 'state='],
    ['state', 'state=dead&state=ready'],
    ['state', 'state=constructor'],
    ['queue', 'queue='],
    ['queue', `queue=${'q'.repeat(256)}`],
    ['name', 'name='],
    ['limit', 'limit=0'],
    ['limit', 'limit=201'],
    ['limit', 'limit=-1'],
    ['limit', 'limit=1.5'],
    ['limit', 'limit=1e2'],
    ['limit', 'limit=ten'],
    ['limit', 'limit='],
    ['cursor', 'cursor='],
    ['cursor', `cursor=${'c'.repeat(1001)}`],
    ['stat', 'stat=dead'],
  ])('names the parameter %s of ?%s', async (field, query) => {
    const http = await start();
    const answer = await http.get(`${ROUTE}?${query}`);
    expect(answer.status).toBe(400);
    expect(answer.body).toMatchObject({ code: 'INVALID_REQUEST', field, title: 'Bad Request' });
    expect(answer.body.detail).toMatch(new RegExp(`^${field} `));
    expect(store.browsed).toEqual([]);
  });

  it('shows a job with payload and result as text', async () => {
    store.jobs.set('abcde-1', deadJob('abcde-1', { payload: '{"é":1}', result: new Uint8Array([0, 255]) }));
    const http = await start();
    const { body } = await http.get(`${ROUTE}/abcde-1`).expect(200);
    expect(body.job).toMatchObject({ id: 'abcde-1', attemptLog: [], acts: [] });
    expect(body.job.payload).toEqual({ encoding: 'text', text: '{"é":1}', bytes: 8, truncated: false });
    expect(body.job.result).toEqual({ encoding: 'base64', text: 'AP8=', bytes: 2, truncated: false });
  });

  it('answers 404 for a job that the store does not know', async () => {
    const http = await start();
    const answer = await http.get(`${ROUTE}/abcde-9`);
    expect(answer.status).toBe(404);
    expect(answer.body).toMatchObject({ code: 'JOB_NOT_FOUND', title: 'Not Found' });
  });

  it.each([
    'a/b',
    'a?b',
    'a#b',
    'a%b',
    '%2e%2e',
    '..a',
    'é',
    '\u202egpj',
    '漢',
    'a b',
    '+',
    ':',
    '<script>',
    "';--",
    '\u0000',
  ])('takes the id %j as it is', async (id) => {
    store.jobs.set(id, deadJob(id));
    await start();
    const found = await app.raw(`${ROUTE}/${encodeURIComponent(id)}`);
    expect(found.status).toBe(200);
    expect(JSON.parse(found.text).job.id).toBe(id);
    expect(found.headers['content-type']).toMatch(/^application\/json/);
    expect(store.asked).toEqual([id]);
  });

  it.each(['/..', '/%2e%2e', '/../../../../etc/passwd', '/%', '/%ff', '/%00', `/${'a'.repeat(5000)}`])(
    'answers the hostile path jobs%s with an error and no HTML',
    async (path) => {
      await start();
      const answer = await app.raw(`${ROUTE}${path}`);
      expect(answer.status).toBeGreaterThanOrEqual(400);
      expect(answer.status).toBeLessThan(500);
      expect(answer.headers['content-type']).toMatch(/json/);
      expect(answer.text).not.toContain('root:');
    },
  );

  it('shows what redact gives, and nothing when it throws', async () => {
    store.jobs.set('abcde-1', deadJob('abcde-1', { payload: '{"card":"4111"}' }));
    let broken = false;
    const http = await start({
      ...viewer,
      redact: (job) => {
        if (broken) throw new Error('redact failed');
        return { ...job, payload: job.payload.toString().replace('4111', '••••') };
      },
    });
    const redacted = await http.get(`${ROUTE}/abcde-1`).expect(200);
    expect(redacted.body.job.payload.text).toBe('{"card":"••••"}');
    broken = true;
    const failed = await http.get(`${ROUTE}/abcde-1`).expect(500);
    expect(failed.text).not.toMatch(/4111|redact failed/);
  });
});

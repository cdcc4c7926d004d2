import { STATUS_CODES } from 'node:http';
import { Controller, HttpException, type INestApplication, Post } from '@nestjs/common';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type AdminApp, operator, PLATFORMS, SERVER_TIME_MS, startAdminApp, viewer } from './admin-app.js';
import { FakeJobStore } from './fake-job-store.js';

const ROUTE = '/admin/queues/api/v1/redrives';
const OWN = { 'Content-Type': 'application/json', 'X-Holdfast-Request': '1', 'Sec-Fetch-Site': 'same-origin' };
const BODY = { ids: ['abcde-1', 'abcde-2'], reason: '  mailbox is back ' };

describe.each(PLATFORMS)('POST redrives on %s', (platform) => {
  let app: AdminApp;
  let store: FakeJobStore;
  beforeEach(() => {
    store = new FakeJobStore();
  });
  afterEach(() => app.close());

  it('hands ids, actor and reason to the store', async () => {
    app = await startAdminApp(platform, { settings: operator, store });
    const answer = await app.http.post(ROUTE).set(OWN).send(BODY);
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({ serverTimeMs: SERVER_TIME_MS, outcome: { matched: 1, done: 1, skipped: {} } });
    expect(store.redriven).toEqual([
      { selection: { ids: BODY.ids }, by: { actor: 'olga@example.org', reason: 'mailbox is back' } },
    ]);
  });

  it('redrives all dead jobs, or those of a queue, without a reason where none was given', async () => {
    app = await startAdminApp(platform, { settings: operator, store });
    await app.http.post(ROUTE).set(OWN).send({ allDead: {} }).expect(200);
    await app.http
      .post(ROUTE)
      .set(OWN)
      .send({ allDead: { queue: 'mail' }, reason: ' ' })
      .expect(200);
    const by = { actor: 'olga@example.org' };
    expect(store.redriven).toEqual([
      { selection: { all: { state: 'dead' } }, by },
      { selection: { all: { state: 'dead', queue: 'mail' } }, by },
    ]);
  });

  it('refuses a viewer, whatever the dashboard shows', async () => {
    app = await startAdminApp(platform, { settings: viewer, store });
    const answer = await app.http.post(ROUTE).set(OWN).send(BODY);
    expect(answer.status).toBe(403);
    expect(answer.body).toMatchObject({
      code: 'ROLE_TOO_LOW',
      detail: expect.stringContaining('needs the role operator'),
    });
    expect(store.redriven).toEqual([]);
    expect(app.log.lines).toContainEqual(expect.stringMatching(/^warn POST .*ROLE_TOO_LOW/));
  });

  it('refuses everyone while it is closed', async () => {
    app = await startAdminApp(platform, { store });
    await app.http.post(ROUTE).set(OWN).send(BODY).expect(403);
    expect(store.redriven).toEqual([]);
  });

  it.each([
    ['another site', { 'Sec-Fetch-Site': 'cross-site' }],
    ['a sister domain', { 'Sec-Fetch-Site': 'same-site' }],
    ['no page at all', { 'Sec-Fetch-Site': 'none' }],
    ['another site that claims an own Origin', { 'Sec-Fetch-Site': 'cross-site', Origin: 'own' }],
    ['a request without Origin and Sec-Fetch-Site', { 'Sec-Fetch-Site': undefined }],
    ['a foreign Origin', { 'Sec-Fetch-Site': undefined, Origin: 'https://evil.example' }],
    ['an Origin of another port', { 'Sec-Fetch-Site': undefined, Origin: 'http://127.0.0.1:1' }],
    ['an opaque Origin', { 'Sec-Fetch-Site': undefined, Origin: 'null' }],
    ['a missing header of our own', { 'X-Holdfast-Request': undefined }],
    ['a wrong header of our own', { 'X-Holdfast-Request': 'true' }],
  ])('refuses %s', async (_what, changes) => {
    app = await startAdminApp(platform, { settings: operator, store });
    const headers = Object.entries({ ...OWN, ...changes }).filter(([, value]) => value !== undefined);
    const request = app.http.post(ROUTE);
    for (const [name, value] of headers) request.set(name, value === 'own' ? app.origin : String(value));
    const answer = await request.send(JSON.stringify(BODY));
    expect(answer.status).toBe(403);
    expect(answer.body.code).toBe('CROSS_SITE_REQUEST');
    expect(store.redriven).toEqual([]);
  });

  it('accepts the own Origin where the browser sends no Sec-Fetch-Site', async () => {
    app = await startAdminApp(platform, { settings: operator, store });
    const { 'Sec-Fetch-Site': _site, ...headers } = OWN;
    await app.http.post(ROUTE).set(headers).set('Origin', app.origin).send(BODY).expect(200);
    expect(store.redriven).toHaveLength(1);
  });

  it.each(['text/plain', 'application/x-www-form-urlencoded', 'application/jsonp', 'text/json'])(
    'refuses the content type %s, which a form or a script of another site could send',
    async (type) => {
      app = await startAdminApp(platform, { settings: operator, store });
      const answer = await app.http.post(ROUTE).set(OWN).set('Content-Type', type).send(JSON.stringify(BODY));
      expect(answer.status).toBe(415);
      expect(store.redriven).toEqual([]);
    },
  );

  it.each([
    ['ids', {}],
    ['ids', { ids: [] }],
    ['ids', { ids: ['a'], allDead: {} }],
    ['ids', { ids: 'a' }],
    ['ids', { ids: Array.from({ length: 1001 }, (_, index) => `abcde-${index}`) }],
    ['ids.1', { ids: ['a', 7] }],
    ['ids.0', { ids: [''] }],
    ['ids.0', { ids: ['a'.repeat(201)] }],
    ['allDead', { allDead: true }],
    ['allDead.queue', { allDead: { queue: 7 } }],
    ['allDead.queues', { allDead: { queues: ['mail'] } }],
    ['reason', { ids: ['a'], reason: 'x'.repeat(501) }],
    ['reason', { ids: ['a'], reason: 7 }],
    ['actor', { ids: ['a'], actor: 'somebody else' }],
    ['body', []],
  ])('names the field %s of a bad body', async (field, body) => {
    app = await startAdminApp(platform, { settings: operator, store });
    const answer = await app.http.post(ROUTE).set(OWN).send(body);
    expect(answer.status).toBe(400);
    expect(answer.body).toMatchObject({ code: 'INVALID_REQUEST', field });
    expect(answer.body.detail).toMatch(new RegExp(`^${field} .*Nothing was changed\\.$`));
    expect(store.redriven).toEqual([]);
  });

  it('takes 1,000 ids and 500 characters of reason', async () => {
    app = await startAdminApp(platform, { settings: operator, store });
    const ids = Array.from({ length: 1000 }, (_, index) => `abcde-${index}`);
    await app.http
      .post(ROUTE)
      .set(OWN)
      .send({ ids, reason: 'x'.repeat(500) })
      .expect(200);
    expect(store.redriven).toHaveLength(1);
  });

  it.each([
    [400, 'INVALID_REQUEST', '{"ids":['],
    [413, 'BODY_TOO_LARGE', JSON.stringify({ ids: ['a'], reason: 'x'.repeat(2 ** 20) })],
  ])('answers %i %s as a problem for a body that the framework does not take', async (status, code, body) => {
    @Controller('orders')
    class Orders {
      @Post()
      place(): string {
        return 'placed';
      }
    }
    app = await startAdminApp(platform, {
      settings: operator,
      store,
      controllers: [Orders],
      configure: (nest) => nest.setGlobalPrefix('shop'),
    });
    for (const route of [ROUTE, '/admin/queues/api/v1/jobs/a/acts/redrive/', '/admin/queues/api/nothing']) {
      const answer = await app.http.post(`/shop${route}`).set(OWN).send(body);
      expect([route, answer.status]).toEqual([route, status]);
      expect(answer.headers['content-type']).toMatch(/^application\/problem\+json/);
      expect(answer.headers['cache-control']).toBe('no-store');
      expect(answer.body).toMatchObject({ type: 'about:blank', status, code, title: STATUS_CODES[status] });
      expect(app.log.lines.filter((line) => line.includes(answer.body.requestId))).toHaveLength(1);
    }
    expect(store.redriven).toEqual([]);
    const others = await app.http.post('/shop/orders').set(OWN).send(body);
    expect(others.body).toMatchObject({ statusCode: status });
    expect(others.body).not.toHaveProperty('code');
  });

  it.each([400, 413, 415])(
    "leaves an error of the application's own, of status %i, to the application",
    async (status) => {
      app = await startAdminApp(platform, {
        settings: operator,
        store,
        configure: (nest) => beforeEachRequest(nest, new HttpException('no tenant', status)),
      });
      const answer = await app.http
        .post(ROUTE)
        .set(OWN)
        .send({ ids: ['a'] })
        .expect(status);
      expect(answer.body).toEqual({ statusCode: status, message: 'no tenant' });
      expect(store.redriven).toEqual([]);
    },
  );
});

/** As an application does it that looks at each request itself: with a hook of Fastify, or a middleware of Express. */
function beforeEachRequest(nest: INestApplication, thrown: Error): void {
  const adapter = nest.getHttpAdapter();
  if (adapter.getType() === 'fastify') {
    const fastify: { addHook(name: string, hook: () => Promise<never>): void } = adapter.getInstance();
    fastify.addHook('onRequest', () => Promise.reject(thrown));
    return;
  }
  nest.use((_request: unknown, _response: unknown, next: (error: Error) => void) => next(thrown));
}

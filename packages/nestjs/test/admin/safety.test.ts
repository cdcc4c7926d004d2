import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import type { JobAnswer, JobsAnswer, LeaseRow, LeasesAnswer } from '@holdfast/contract';
import { PATH_METADATA } from '@nestjs/common/constants.js';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { API_CONTROLLERS } from '../../src/admin/admin.module.js';
import { API_ROUTES } from '../../src/admin/api-routes.js';
import { type AdminApp, operator, PLATFORMS, startAdminApp, viewer } from './admin-app.js';
import { deadJob, FakeJobStore } from './fake-job-store.js';

const API = '/admin/queues/api/v1';
const OWN = { 'Content-Type': 'application/json', 'X-Holdfast-Request': '1', 'Sec-Fetch-Site': 'same-origin' };
const SECRET = 'hunter2';

describe.each(PLATFORMS)('the admin API on %s', (platform) => {
  let app: AdminApp;
  let store: FakeJobStore;
  beforeEach(() => {
    store = new FakeJobStore();
  });
  afterEach(() => app.close());

  it('shows no secret of a job, wherever it stands', async () => {
    app = await startAdminApp(platform, { settings: { ...viewer, redactPaths: ['user.email'] }, store });
    const message = `login failed: password=${SECRET}`;
    store.jobs.set(
      'abcde-1',
      deadJob('abcde-1', {
        payload: `{"user":{"email":"${SECRET}","id":1970670598291982290},"apiKey":["${SECRET}"]}`,
        result: `{"token":"${SECRET}"}`,
        headers: { authorization: `Bearer ${SECRET}` },
        lastError: { class: 'Error', message },
        attemptLog: [
          {
            attempt: 1,
            worker: 'w',
            startedAtMs: 1,
            outcome: 'failed',
            error: { class: 'E', message, stack: message },
            progress: `{"token":"${SECRET}","user":{"email":"${SECRET}"},"done":0.5}`,
            lines: [{ atMs: 1, text: message }],
          },
        ],
        progress: `{"token":"${SECRET}","done":0.5}`,
      }),
    );
    store.leases = async () => [leaseThatTells(`{"token":"${SECRET}","done":0.5}`)];
    const detail = await app.http.get(`${API}/jobs/abcde-1`).expect(200);
    expect(detail.text).not.toContain(SECRET);
    const { job } = detail.body as JobAnswer;
    expect(job.payload.text).toBe('{"user":{"email":"[redacted]","id":1970670598291982290},"apiKey":"[redacted]"}');
    expect([job.payload.redacted, job.result?.redacted]).toEqual([true, true]);
    expect((await app.http.get(`${API}/jobs`)).text).not.toContain(SECRET);
    const file = await app.http.get(`${API}/jobs/abcde-1/payload`).expect(200);
    expect(file.headers['content-disposition']).toBe('attachment; filename="abcde-1-payload.txt"');
    expect(file.text).toBe(job.payload.text);
    expect((await app.http.get(`${API}/jobs/abcde-1/result`)).text).toBe('{"token":"[redacted]"}');
    expect(job.progress).toBe('{"token":"[redacted]","done":0.5}');
    const [attempt] = job.attemptLog;
    expect(attempt?.progress).toBe('{"token":"[redacted]","user":{"email":"[redacted]"},"done":0.5}');
    expect(attempt?.lines).toEqual([{ atMs: 1, text: 'login failed: password=[redacted]' }]);
    const { leases } = (await app.http.get(`${API}/leases`).expect(200)).body as LeasesAnswer;
    expect(leases.map(({ progress }) => progress)).toEqual(['{"token":"[redacted]","done":0.5}']);
  });

  it('does not search what it does not show', async () => {
    app = await startAdminApp(platform, { settings: { ...operator, redactPaths: ['user.email'] }, store });
    for (const path of ['user.email', 'user.email.0', 'a.password.b', 'token']) {
      const answer = await app.http.get(`${API}/jobs?payloadPath=${path}&payloadValue=x`);
      expect([path, answer.status, answer.body.code]).toEqual([path, 400, 'FIELD_REDACTED']);
      const filter = { payload: { path, value: 'x' } };
      const plan = await app.http
        .post(`${API}/bulk/plans`)
        .set(OWN)
        .send({ act: { kind: 'redrive' }, selection: { filter } });
      expect(plan.body.code).toBe('FIELD_REDACTED');
    }
    expect(store.browsed).toEqual([]);
  });

  it('hands a search to the store as it was asked', async () => {
    app = await startAdminApp(platform, { settings: viewer, store });
    const query =
      'state=dead&id=ab&errorClass=E&errorText=t&errorFingerprint=1-0&attemptsMin=2&enqueuedFromMs=1&updatedBeforeMs=9&payloadPath=a.b&payloadValue=&scanMax=7&limit=3';
    const { body } = await app.http.get(`${API}/jobs?${query}`).expect(200);
    expect((body as JobsAnswer).rows).toEqual([]);
    expect(store.browsed).toEqual([
      {
        filter: {
          ...{ state: 'dead', id: 'ab', errorClass: 'E', errorText: 't', errorFingerprint: '1-0' },
          ...{ attemptsMin: 2, enqueuedFromMs: 1, updatedBeforeMs: 9, payload: { path: 'a.b', value: '' } },
        },
        page: { limit: 3, scanMax: 7 },
      },
    ]);
  });

  it('stops who asks too much, and says when to come back', async () => {
    app = await startAdminApp(platform, { settings: operator, store });
    const answers = await Promise.all(
      Array.from({ length: 90 }, () => app.http.post(`${API}/queues/resume`).set(OWN).send({})),
    );
    const refused = answers.filter(({ status }) => status === 429);
    expect(refused.length).toBeGreaterThan(0);
    expect(answers.filter(({ status }) => status === 400).length).toBeGreaterThanOrEqual(60);
    expect(refused[0]?.body).toMatchObject({ code: 'TOO_MANY_REQUESTS', retryAfterMs: expect.any(Number) });
    expect(Number(refused[0]?.headers['retry-after'])).toBeGreaterThan(0);
    await app.http.get(`${API}/meta`).expect(200);
  });

  it('has a document of exactly its routes, with the schemas that it checks with', async () => {
    app = await startAdminApp(platform, { settings: viewer, store });
    const { body } = await app.http.get(`${API}/openapi.json`).expect(200);
    const documented = API_ROUTES.map(({ path }) => path).sort();
    expect(documented).toEqual(servedRoutes());
    expect(Object.keys(body.paths).sort()).toEqual(
      [...new Set(documented)].map((path) => `/${path.replace(/:(\w+)/g, '{$1}')}`).sort(),
    );
    const names = body.paths['/jobs'].get.parameters.map(({ name }: { name: string }) => name);
    expect(names).toEqual(expect.arrayContaining(['state', 'errorText', 'payloadPath', 'cursor']));
    const { schema } = body.paths['/queues/pause'].post.requestBody.content['application/json'];
    expect(schema).toMatchObject({ type: 'object', required: ['queue'], additionalProperties: false });
  });

  it('tells what changes as server-sent events, and what was missed', async () => {
    app = await startAdminApp(platform, { settings: viewer, store });
    const first = await listen(`${app.origin}${API}/events`);
    expect(first.response.headers).toMatchObject({
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store, no-transform',
    });
    const hello = await first.next('hello');
    expect(hello.data).toMatchObject({ resumed: false });
    const counts = await first.next('counts');
    expect(counts.data).toMatchObject({ health: { status: 'open' }, queues: [] });
    first.end();
    const again = await listen(`${app.origin}${API}/events`, counts.id);
    expect((await again.next('hello')).data).toMatchObject({ resumed: true });
    again.end();
    const missed = await listen(`${app.origin}${API}/events`, hello.id);
    expect((await missed.next('counts')).id).toBe(counts.id);
    missed.end();
    const stranger = await listen(`${app.origin}${API}/events`, 'ffffffff-7');
    expect((await stranger.next('resync')).data).toEqual({ serverTimeMs: expect.any(Number) });
    stranger.end();
  });

  it('ends the answer to who asks for the headers of the events alone', async () => {
    app = await startAdminApp(platform, { settings: viewer, store });
    const { headers } = await app.http.head(`${API}/events`).expect(200);
    expect(headers['content-type']).toBe('text/event-stream; charset=utf-8');
  });

  it('lets nobody listen who may not look', async () => {
    app = await startAdminApp(platform, { store });
    await app.http.get(`${API}/events`).expect(403);
    await app.http.get(`${API}/openapi.json`).expect(403);
  });
});

function servedRoutes(): string[] {
  return API_CONTROLLERS.flatMap((controller) => {
    const base = String(Reflect.getMetadata(PATH_METADATA, controller)).replace(/^api\/v1\//, '');
    const names = Object.getOwnPropertyNames(controller.prototype).filter((name) => name !== 'constructor');
    return names.flatMap((name) => {
      const handler = Object.getOwnPropertyDescriptor(controller.prototype, name)?.value;
      const path = typeof handler === 'function' ? Reflect.getMetadata(PATH_METADATA, handler) : undefined;
      return path === undefined ? [] : [path === '/' ? base : `${base}/${path}`];
    });
  }).sort();
}

function leaseThatTells(progress: string): LeaseRow {
  return {
    ...{
      id: 'abcde-2',
      queue: 'mail',
      name: 'send',
      worker: 'w',
      attempt: 1,
      maxAttempts: 5,
      token: '000001.00000001',
    },
    ...{ leasedAtMs: 1, leaseMs: 30_000, remainingMs: 20_000, extensions: 0, progress },
  };
}

interface Told {
  readonly event: string;
  readonly id: string;
  readonly data: unknown;
}

async function listen(url: string, lastEventId?: string) {
  const request = get(url, { headers: lastEventId === undefined ? {} : { 'Last-Event-ID': lastEventId } });
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  response.setEncoding('utf8');
  const told: Told[] = [];
  let text = '';
  let wake: () => void = () => {};
  response.on('data', (chunk: string) => {
    text += chunk;
    for (let end = text.indexOf('\n\n'); end >= 0; end = text.indexOf('\n\n')) {
      const fields = new Map(
        text
          .slice(0, end)
          .split('\n')
          .map((line) => line.split(/: (.*)/s, 2) as [string, string]),
      );
      text = text.slice(end + 2);
      if (!fields.has('event')) continue;
      told.push({
        event: fields.get('event') ?? '',
        id: fields.get('id') ?? '',
        data: JSON.parse(fields.get('data') ?? 'null'),
      });
    }
    wake();
  });
  const next = async (event: string): Promise<Told> => {
    for (;;) {
      const found = told.find((one) => one.event === event);
      if (found !== undefined) return found;
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    }
  };
  return { response, next, end: () => request.destroy() };
}

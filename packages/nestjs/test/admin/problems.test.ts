import { CursorInvalidError, InvalidArgumentError, LogCorruptError, StoreFailedError } from '@holdfast/contract';
import {
  type CallHandler,
  Controller,
  type ExecutionContext,
  Get,
  type NestInterceptor,
  VersioningType,
} from '@nestjs/common';
import { APP_INTERCEPTOR } from '@nestjs/core';
import { map } from 'rxjs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type AdminApp, operator, PLATFORMS, startAdminApp, viewer } from './admin-app.js';
import { FakeJobStore } from './fake-job-store.js';

describe.each(PLATFORMS)('problems on %s', (platform) => {
  let app: AdminApp;
  let store: FakeJobStore;
  beforeEach(() => {
    store = new FakeJobStore();
  });
  afterEach(() => app.close());

  it.each([
    [503, new StoreFailedError('unknown', 'The disk refused fdatasync.')],
    [503, new LogCorruptError('0000000001.segment', 512, 'a frame is not whole')],
    [400, new CursorInvalidError()],
    [400, new InvalidArgumentError('limit', 0, 'at least 1')],
  ])('answers %i for what the store throws: %s', async (status, failure) => {
    app = await startAdminApp(platform, { settings: viewer, store });
    store.failure = failure;
    const answer = await app.http.get('/admin/queues/api/v1/jobs');
    expect(answer.status).toBe(status);
    expect(answer.body).toMatchObject({ status, code: failure.code, detail: failure.message });
    expect(Object.keys(answer.body).sort()).toEqual(['code', 'detail', 'requestId', 'status', 'title', 'type']);
  });

  it('answers 503 and the current health while the store has failed, and meta still', async () => {
    app = await startAdminApp(platform, { settings: viewer, store });
    store.failure = new StoreFailedError('rejected', 'The engine is gone.');
    await app.http.get('/admin/queues/api/v1/overview').expect(503);
    await app.http.get('/admin/queues/api/v1/storage').expect(503);
    await app.http.get('/admin/queues/api/v1/meta').expect(200);
    await app.http.get('/admin/queues').expect(200);
  });

  it('tells nothing of an unexpected error; its id leads to the cause in the log', async () => {
    app = await startAdminApp(platform, { settings: viewer, store });
    store.failure = new TypeError('cannot read /srv/secret.key', { cause: new Error('the deeper reason') });
    const answer = await app.http.get('/admin/queues/api/v1/overview?token=t0p');
    expect(answer.status).toBe(500);
    expect(answer.text).not.toMatch(/secret|deeper|\.ts|at /);
    const line = app.log.lines.find((told) => told.includes(answer.body.requestId));
    expect(line).toMatch(
      /^error GET "\/admin\/queues\/api\/v1\/overview": 500 INTERNAL[\s\S]*secret\.key[\s\S]*the deeper reason/,
    );
    expect(line).not.toContain('t0p');
  });

  it('uses the id that a logger gave the request, but no mere counter', async () => {
    let id: unknown = 'c0ffee00-7';
    class Logging implements NestInterceptor {
      intercept(context: ExecutionContext, next: CallHandler) {
        Object.defineProperty(context.switchToHttp().getRequest(), 'id', { value: id, configurable: true });
        return next.handle();
      }
    }
    const providers = [{ provide: APP_INTERCEPTOR, useClass: Logging }];
    app = await startAdminApp(platform, { settings: viewer, store, providers });
    const requestId = async () => (await app.http.get('/admin/queues/api/v1/jobs/none')).body.requestId;
    expect(await requestId()).toBe('c0ffee00-7');
    for (id of [7, 'req-7', '<b>', 'x'.repeat(65), undefined]) expect(await requestId()).toMatch(/^[\da-f-]{36}$/);
  });

  it.each([
    '/api',
    '/api/',
    '/api/v1',
    '/api/v1/',
    '/api/v1/nothing',
    '/api/v2/jobs',
    '/api/v1/jobs/1/payload/raw',
    '/api/index.html',
  ])('answers 404 as JSON for %s, whatever the client accepts', async (path) => {
    app = await startAdminApp(platform, { settings: viewer, store });
    const answer = await app.http.get(`/admin/queues${path}`).set('Accept', 'text/html');
    expect(answer.status).toBe(404);
    expect(answer.headers['content-type']).toMatch(/^application\/problem\+json/);
    expect(answer.body.code).toBe('ROUTE_NOT_FOUND');
  });

  it('answers 404 for a method that a route does not have', async () => {
    app = await startAdminApp(platform, { settings: operator, store });
    const own = { 'Content-Type': 'application/json', 'X-Holdfast-Request': '1', 'Sec-Fetch-Site': 'same-origin' };
    expect((await app.http.get('/admin/queues/api/v1/redrives')).body.code).toBe('ROUTE_NOT_FOUND');
    expect((await app.http.delete('/admin/queues/api/v1/jobs/1').set(own).send('{}')).body.code).toBe(
      'ROUTE_NOT_FOUND',
    );
  });

  it('protects every answer of the API', async () => {
    app = await startAdminApp(platform, { settings: viewer, store });
    for (const path of ['meta', 'jobs', 'jobs/none', 'nothing']) {
      const { headers } = await app.http.get(`/admin/queues/api/v1/${path}`);
      expect(headers).toMatchObject({
        'x-content-type-options': 'nosniff',
        'referrer-policy': 'no-referrer',
        'cache-control': 'no-store',
        'cross-origin-resource-policy': 'same-origin',
        'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
      });
    }
  });

  it('shows the environment', async () => {
    const environment = { label: 'production', tone: 'danger' } as const;
    app = await startAdminApp(platform, { settings: { ...viewer, environment }, store });
    expect((await app.http.get('/admin/queues/api/v1/meta')).body.environment).toEqual(environment);
  });

  it('lets interceptors of the application run, but not change its answers', async () => {
    const seen: string[] = [];
    class Envelope implements NestInterceptor {
      intercept(context: ExecutionContext, next: CallHandler) {
        seen.push(context.getClass().name);
        return next.handle().pipe(map((data: unknown) => ({ data, success: true })));
      }
    }
    const providers = [{ provide: APP_INTERCEPTOR, useClass: Envelope }];
    app = await startAdminApp(platform, { settings: viewer, store, providers });
    expect((await app.http.get('/admin/queues/api/v1/meta')).body).toHaveProperty('role', 'viewer');
    expect((await app.http.get('/admin/queues/favicon.svg')).headers['content-type']).toBe('image/svg+xml');
    expect(seen).toEqual(['MetaController', 'StaticApp']);
  });

  it('leaves errors of the rest of the application to the application', async () => {
    @Controller('orders')
    class Orders {
      @Get()
      list(): never {
        throw new Error('not ours');
      }
    }
    const admin = { module: class Host {}, controllers: [Orders], imports: [] };
    app = await startAdminApp(platform, { module: admin, store });
    const answer = await app.http.get('/orders');
    expect(answer.body).toEqual({ statusCode: 500, message: 'Internal server error' });
  });

  it.each([
    { type: VersioningType.URI, defaultVersion: '7' } as const,
    { type: VersioningType.HEADER, header: 'X-Version', defaultVersion: '7' } as const,
    { type: VersioningType.MEDIA_TYPE, key: 'v=', defaultVersion: '7' } as const,
  ])('stays at its path in an application that versions its routes: %j', async (versioning) => {
    app = await startAdminApp(platform, { settings: viewer, configure: (nest) => nest.enableVersioning(versioning) });
    await app.http.get('/admin/queues/api/v1/meta').expect(200);
    await app.http.get('/admin/queues/jobs/1').expect(200);
  });
});

import {
  type CanActivate,
  type ExecutionContext,
  ForbiddenException,
  Injectable,
  Scope,
  UnauthorizedException,
} from '@nestjs/common';
import { APP_GUARD } from '@nestjs/core';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { HoldfastAdminModule } from '../../src/admin/admin.module.js';
import type { AdminContext, AdminIdentity } from '../../src/admin/admin-options.js';
import { type AdminApp, type AdminAppSetup, operator, PLATFORMS, SERVER_TIME_MS, startAdminApp } from './admin-app.js';

const EVERYTHING = [
  '/admin/queues',
  '/admin/queues/jobs/1',
  '/admin/queues/assets/app-1a2b3c.js',
  '/admin/queues/favicon.svg',
  '/admin/queues/api/v1/meta',
  '/admin/queues/api/v1/overview',
  '/admin/queues/api/v1/attention',
  '/admin/queues/api/v1/jobs',
  '/admin/queues/api/v1/jobs/1',
  '/admin/queues/api/v1/leases',
  '/admin/queues/api/v1/storage',
  '/admin/queues/api/v1/nothing',
];

describe.each(PLATFORMS)('access on %s', (platform) => {
  let app: AdminApp;
  const start = async (setup: AdminAppSetup) => {
    app = await startAdminApp(platform, setup);
    return app;
  };
  afterEach(async () => {
    vi.unstubAllEnvs();
    await app.close();
  });

  it('is closed for the page, its files and the API without authorize', async () => {
    const { http, log } = await start({});
    for (const path of EVERYTHING) expect([path, (await http.get(path)).status]).toEqual([path, 403]);
    const page = await http.get('/admin/queues');
    expect(page.headers['content-type']).toMatch(/^text\/html/);
    expect(page.text).toContain('This dashboard is closed');
    expect(page.text).toContain('authorize: ({ request }');
    expect(page.text).not.toContain('<script');
    const api = await http.get('/admin/queues/api/v1/jobs');
    expect(api.headers['content-type']).toMatch(/^application\/problem\+json/);
    expect(api.body).toMatchObject({ status: 403, title: 'Forbidden', code: 'ACCESS_CLOSED', type: 'about:blank' });
    expect(log.lines).toContainEqual(expect.stringContaining('The dashboard at /admin/queues is closed'));
  });

  it('lets a request in as whom authorize says', async () => {
    const seen: AdminContext[] = [];
    const { http, log } = await start({
      settings: {
        authorize: async (context) => {
          seen.push(context);
          return { role: 'viewer', actor: 'victor@example.org' };
        },
      },
    });
    const meta = await http.get('/admin/queues/api/v1/meta').set('X-Badge', '17');
    expect(meta.status).toBe(200);
    expect(meta.body).toMatchObject({ role: 'viewer', actor: 'victor@example.org', serverTimeMs: SERVER_TIME_MS });
    expect(meta.body.version).toMatch(/^\d+\.\d+\.\d+/);
    expect(seen[0]).toMatchObject({ headers: { 'x-badge': '17' }, ip: '127.0.0.1' });
    expect(log.lines).toEqual([]);
  });

  it('lets authorize look at what the guards of the application put on the request', async () => {
    interface Staff {
      readonly user?: { readonly email: string };
    }
    class SignIn implements CanActivate {
      canActivate(context: ExecutionContext): boolean {
        const request = context.switchToHttp().getRequest();
        request.user = { email: request.headers['x-user'] };
        return true;
      }
    }
    const { http } = await start({
      settings: {
        authorize: ({ request }: AdminContext<Staff>) =>
          request.user?.email === 'olga@example.org' ? { role: 'operator', actor: request.user.email } : null,
      },
      providers: [{ provide: APP_GUARD, useClass: SignIn }],
    });
    const meta = await http.get('/admin/queues/api/v1/meta').set('X-User', 'olga@example.org');
    expect(meta.body).toMatchObject({ role: 'operator', actor: 'olga@example.org' });
    await http.get('/admin/queues/api/v1/meta').set('X-User', 'mallory@example.org').expect(403);
  });

  it('refuses with 403 everywhere when authorize answers null', async () => {
    const { http } = await start({ settings: { authorize: () => null } });
    for (const path of EVERYTHING) expect([path, (await http.get(path)).status]).toEqual([path, 403]);
    expect((await http.get('/admin/queues/api/v1/meta')).body.code).toBe('ACCESS_DENIED');
  });

  it('takes the status of an HttpException of authorize, and tells nothing of any other error', async () => {
    let thrown: Error = new UnauthorizedException('Sign in first.');
    const { http, log } = await start({
      settings: {
        authorize: () => {
          throw thrown;
        },
      },
    });
    const refused = await http.get('/admin/queues/api/v1/meta');
    expect(refused.status).toBe(401);
    expect(refused.body).toMatchObject({ code: 'REFUSED_BY_APPLICATION', detail: 'Sign in first.' });

    thrown = new Error('password of db is hunter2');
    for (const path of ['/admin/queues/api/v1/meta', '/admin/queues']) {
      const failed = await http.get(path);
      expect(failed.status).toBe(500);
      expect(failed.text).not.toContain('hunter2');
      expect(failed.text).not.toContain('admin-access');
    }
    const { requestId } = (await http.get('/admin/queues/api/v1/meta')).body;
    const line = log.lines.find((told) => told.includes(requestId));
    expect(line).toMatch(/^error .*hunter2/);
  });

  it.each([
    undefined,
    true,
    {},
    { role: 'owner', actor: 'a' },
    { role: 'admin' },
    { role: 'admin', actor: '' },
    { role: 'admin', actor: 'é'.repeat(128) },
  ])('lets nobody in when authorize answers %j', async (answer) => {
    const { http } = await start({ settings: { authorize: () => answer as AdminIdentity } });
    expect((await http.get('/admin/queues/api/v1/meta')).body).toMatchObject({ status: 500, code: 'INTERNAL' });
    expect((await http.get('/admin/queues')).status).toBe(500);
  });

  it('stands behind the guards of the application, for the page, its files and the API', async () => {
    class Closed implements CanActivate {
      canActivate(context: ExecutionContext): boolean {
        if (context.switchToHttp().getRequest().headers['x-badge'] === '17') return true;
        throw new ForbiddenException('No badge, no entry.');
      }
    }
    const { http } = await start({ settings: operator, providers: [{ provide: APP_GUARD, useClass: Closed }] });
    for (const path of EVERYTHING) expect([path, (await http.get(path)).status]).toEqual([path, 403]);
    const refused = await http.get('/admin/queues/api/v1/meta');
    expect(refused.body).toMatchObject({ code: 'REFUSED_BY_APPLICATION', detail: 'No badge, no entry.' });
    expect((await http.get('/admin/queues/api/v1/meta').set('X-Badge', '17')).status).toBe(200);
  });

  it('also stands behind guards that are made for each request', async () => {
    @Injectable({ scope: Scope.REQUEST })
    class PerRequest implements CanActivate {
      canActivate(context: ExecutionContext): boolean {
        return context.switchToHttp().getRequest().headers['x-badge'] === '17';
      }
    }
    const { http } = await start({ settings: operator, providers: [{ provide: APP_GUARD, useClass: PerRequest }] });
    for (const path of EVERYTHING) expect([path, (await http.get(path)).status]).toEqual([path, 403]);
    await http.get('/admin/queues/api/v1/meta').set('X-Badge', '17').expect(200);
    await http.get('/admin/queues/jobs').set('X-Badge', '17').expect(200);
  });

  it('leaves an answer alone that a guard of the application has sent', async () => {
    class ToLogin implements CanActivate {
      canActivate(context: ExecutionContext): boolean {
        const response = context.switchToHttp().getResponse();
        if (platform === 'express') response.redirect(302, '/login');
        else response.code(302).header('Location', '/login').send();
        return false;
      }
    }
    const { http } = await start({ settings: operator, providers: [{ provide: APP_GUARD, useClass: ToLogin }] });
    const answer = await http.get('/admin/queues');
    expect([answer.status, answer.headers.location]).toEqual([302, '/login']);
  });

  it('opens on this machine in development when told to, and to no one else', async () => {
    vi.stubEnv('NODE_ENV', 'development');
    const { http, log } = await start({ settings: { allowLoopbackInDevelopment: true } });
    expect((await http.get('/admin/queues')).status).toBe(200);
    const meta = await http.get('/admin/queues/api/v1/meta');
    expect(meta.body).toMatchObject({ role: 'admin', actor: 'local developer' });
    for (const [name, value] of [
      ['X-Forwarded-For', '203.0.113.7'],
      ['Forwarded', 'for=203.0.113.7'],
      ['Via', '1.1 proxy'],
      ['X-Real-IP', '203.0.113.7'],
      ['Host', 'rebound.example.org'],
    ] as const) {
      const refused = await http.get('/admin/queues/api/v1/meta').set(name, value);
      expect([name, refused.body.code]).toEqual([name, 'ACCESS_CLOSED']);
    }
    expect(log.lines).toContainEqual(expect.stringContaining('open to everyone on this machine'));
  });

  it('stays closed on this machine in production, and says why', async () => {
    vi.stubEnv('NODE_ENV', 'production');
    const { http, log } = await start({ settings: { allowLoopbackInDevelopment: true } });
    for (const path of EVERYTHING) expect([path, (await http.get(path)).status]).toEqual([path, 403]);
    expect((await http.get('/admin/queues')).text).toContain('NODE_ENV=production');
    expect(log.lines).toContainEqual(expect.stringContaining('NODE_ENV=production'));
  });

  it('asks authorize also where loopback is allowed', async () => {
    vi.stubEnv('NODE_ENV', 'development');
    const { http } = await start({ settings: { allowLoopbackInDevelopment: true, authorize: () => null } });
    expect((await http.get('/admin/queues/api/v1/meta')).body.code).toBe('ACCESS_DENIED');
  });

  it('takes its options from a factory, and two mounts keep to their own', async () => {
    const first = HoldfastAdminModule.forRootAsync({
      path: 'first',
      imports: [{ module: class Config {}, providers: [{ provide: 'ACTOR', useValue: 'one' }], exports: ['ACTOR'] }],
      inject: ['ACTOR'],
      useFactory: async (actor: string) => ({ authorize: () => ({ role: 'viewer', actor }) }),
    });
    const second = HoldfastAdminModule.forRoot({
      path: 'second/',
      authorize: () => ({ role: 'admin', actor: 'two' }),
    });
    const { http } = await start({ module: { module: class Both {}, imports: [first, second] } });
    expect((await http.get('/first/api/v1/meta')).body).toMatchObject({ role: 'viewer', actor: 'one' });
    expect((await http.get('/second/api/v1/meta')).body).toMatchObject({ role: 'admin', actor: 'two' });
  });

  it.each(['/admin/:id', '/a b', '/a/../b', '/a/*', '/a?b'])('refuses the path %s at once', async (path) => {
    await start({});
    expect(() => HoldfastAdminModule.forRoot({ path })).toThrow(/^path of HoldfastAdminModule is .* but must be/);
  });
});

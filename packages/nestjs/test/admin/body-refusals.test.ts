import { Controller, type INestApplication, Post, RequestMethod, VersioningType } from '@nestjs/common';
import { afterEach, describe, expect, it } from 'vitest';
import { type AdminApp, operator, PLATFORMS, startAdminApp } from './admin-app.js';

const JSON_BODY = { 'Content-Type': 'application/json' };
const BROKEN = '{"ids":[';
const MOUNT = '/admin/queues';

interface Placing {
  readonly what: string;
  /** In front of the mount, as a browser asks. */
  readonly asked: string;
  /** In front of the application's own routes. */
  readonly askedOthers?: string;
  configure(app: INestApplication): void;
}

const PLACINGS: readonly Placing[] = [
  { what: 'nothing in front', asked: '', configure: () => {} },
  { what: 'a global prefix', asked: '/shop', configure: (app) => app.setGlobalPrefix('shop') },
  {
    what: 'a global prefix with a parameter',
    asked: '/tenants/blue',
    configure: (app) => app.setGlobalPrefix('tenants/:tenant'),
  },
  {
    what: 'a global prefix and a version in the path',
    asked: '/shop',
    askedOthers: '/shop/v2',
    configure: (app) => app.setGlobalPrefix('shop').enableVersioning({ type: VersioningType.URI, defaultVersion: '2' }),
  },
  {
    what: 'a version in a header',
    asked: '',
    configure: (app) => app.enableVersioning({ type: VersioningType.HEADER, header: 'X-Version' }),
  },
  {
    what: 'a global prefix that leaves the dashboard out',
    asked: '',
    askedOthers: '/shop',
    configure: (app) =>
      app.setGlobalPrefix('shop', { exclude: [{ path: 'admin/queues{/*rest}', method: RequestMethod.ALL }] }),
  },
];

/** Of an application that has something else at the end of whose paths the mount's stand. */
@Controller('branches/admin/queues/api')
class Branches {
  @Post('v1/redrives')
  redrive(): string {
    return 'of a branch';
  }

  @Post('orders')
  order(): string {
    return 'placed';
  }
}

describe.each(PLATFORMS)('a body that %s does not take', (platform) => {
  let app: AdminApp;
  afterEach(() => app.close());

  describe.each(PLACINGS)('with $what', ({ asked, askedOthers = asked, configure }) => {
    it.each(['/api/v1/redrives', '/api/v1/jobs/a/acts/redrive', '/api/v1/bulk/plan', '/api/nothing'])(
      'is a problem at %s of the dashboard',
      async (route) => {
        app = await startAdminApp(platform, { settings: operator, controllers: [Branches], configure });
        const answer = await app.http.post(`${asked}${MOUNT}${route}`).set(JSON_BODY).send(BROKEN);
        expect(answer.headers['content-type']).toMatch(/^application\/problem\+json/);
        expect(answer.body).toMatchObject({ status: 400, code: 'INVALID_REQUEST', field: 'body' });
      },
    );

    it.each(['/v1/redrives', '/orders'])("is the application's at %s below another path", async (route) => {
      app = await startAdminApp(platform, { settings: operator, controllers: [Branches], configure });
      const place = `${askedOthers}/branches${MOUNT}/api${route}`;
      await app.http.post(place).set(JSON_BODY).set('X-Version', '1').send('{}').expect(201);
      const answer = await app.http.post(place).set(JSON_BODY).set('X-Version', '1').send(BROKEN);
      expect(answer.body).toMatchObject({ statusCode: 400 });
      expect(answer.body).not.toHaveProperty('code', 'INVALID_REQUEST');
      expect(answer.headers['content-type']).toMatch(/^application\/json/);
    });
  });

  it("is the application's below an api of its own, where the dashboard is mounted at the root", async () => {
    @Controller('api')
    class Orders {
      @Post('orders')
      order(): string {
        return 'placed';
      }
    }
    app = await startAdminApp(platform, { path: '/', settings: operator, controllers: [Orders] });
    const others = await app.http.post('/api/orders').set(JSON_BODY).send(BROKEN);
    expect(others.body).not.toHaveProperty('code', 'INVALID_REQUEST');
    const own = await app.http.post('/api/v1/redrives').set(JSON_BODY).send(BROKEN);
    expect(own.body).toMatchObject({ status: 400, code: 'INVALID_REQUEST' });
  });
});

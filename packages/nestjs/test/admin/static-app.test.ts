import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { RequestMethod } from '@nestjs/common';
import { afterEach, describe, expect, it } from 'vitest';
import { DashboardFiles } from '../../src/admin/dashboard-files.js';
import { type AdminApp, type AdminAppSetup, PLATFORMS, startAdminApp, viewer } from './admin-app.js';

const SCRIPT = '/admin/queues/assets/app-1a2b3c.js';
const base = (text: string) => /<base href="([^"]*)">/.exec(text)?.[1];

describe.each(PLATFORMS)('the page on %s', (platform) => {
  let app: AdminApp;
  const start = async (setup: AdminAppSetup = {}) => {
    app = await startAdminApp(platform, { settings: viewer, ...setup });
    return app.http;
  };
  afterEach(() => app.close());

  it.each([
    '',
    '/',
    '/jobs',
    '/jobs/abcde-1',
    '/jobs/a%2Fb',
    '/dead?queue=x',
    '/index.html',
    '/deep/er/than/that/',
    '/.well-known/x',
    '/apiary',
  ])('answers index.html for the deep link %j, whatever the client accepts', async (path) => {
    const http = await start();
    for (const accept of ['text/html', '*/*', 'application/json']) {
      const answer = await http.get(`/admin/queues${path}`).set('Accept', accept);
      expect(answer.status).toBe(200);
      expect(answer.headers['content-type']).toMatch(/^text\/html/);
      expect(base(answer.text)).toBe('/admin/queues/');
      expect(answer.text.indexOf('<base')).toBeLessThan(answer.text.indexOf('src="./assets'));
    }
  });

  it('has its base under the global prefix, also where a route is excluded from it', async () => {
    const http = await start({ configure: (nest) => nest.setGlobalPrefix('api/internal') });
    expect(base((await http.get('/api/internal/admin/queues/jobs/1').expect(200)).text)).toBe(
      '/api/internal/admin/queues/',
    );
    await http.get('/api/internal/admin/queues/api/v1/meta').expect(200);
    await http.get('/admin/queues').expect(404);
    await app.close();
    const free = await start({
      configure: (nest) =>
        nest.setGlobalPrefix('api', { exclude: [{ path: 'admin/queues{/*path}', method: RequestMethod.ALL }] }),
    });
    expect(base((await free.get('/admin/queues/jobs').expect(200)).text)).toBe('/admin/queues/');
  });

  it.each([
    ['/ops', '/ops/admin/queues/'],
    ['/ops/', '/ops/admin/queues/'],
    ['/a.b/c~d', '/a.b/c~d/admin/queues/'],
  ])('puts the forwarded prefix %s before its mount', async (prefix, expected) => {
    const http = await start();
    expect(base((await http.get('/admin/queues/jobs').set('X-Forwarded-Prefix', prefix)).text)).toBe(expected);
  });

  it.each([
    '//evil.example',
    'https://evil.example',
    '/a"onload="x',
    '/a/../..',
    '/.',
    '/a, /b',
    '/\\evil',
    '/a?b',
    'ops',
    `/${'a'.repeat(300)}`,
  ])('ignores the forwarded prefix %s', async (prefix) => {
    const http = await start();
    expect(base((await http.get('/admin/queues').set('X-Forwarded-Prefix', prefix)).text)).toBe('/admin/queues/');
  });

  it.each([
    '/%5Cevil.example/admin/queues',
    '/%22%3E%3Cscript%3E/admin/queues',
    '/"><script>/admin/queues',
    '/\\evil.example/admin/queues',
  ])('keeps its base on this origin below a prefix with a parameter: %s', async (path) => {
    await start({ configure: (nest) => nest.setGlobalPrefix(':tenant') });
    const answer = await app.raw(path);
    expect(answer.status).toBe(200);
    expect(base(answer.text)).toMatch(/^\/[%\w.]+\/admin\/queues\/$/);
    expect(answer.text).not.toContain('<script>/');
  });

  it('writes a prefix with an ampersand as text', async () => {
    await start({ configure: (nest) => nest.setGlobalPrefix(':tenant') });
    expect(base((await app.raw("/a&quot;b'c/admin/queues")).text)).toBe('/a&amp;quot;b&#39;c/admin/queues/');
  });

  it('can be mounted at the root', async () => {
    const http = await start({ path: '/' });
    expect(base((await http.get('/').expect(200)).text)).toBe('/');
    expect(base((await http.get('/jobs/1').expect(200)).text)).toBe('/');
    await http.get('/assets/app-1a2b3c.js').expect(200);
    await http.get('/api/v1/meta').expect(200);
  });

  it('carries a config that cannot end its element', async () => {
    const label = '</script><script>alert(1)</script><!-- & \u2028';
    const http = await start({ settings: { ...viewer, environment: { label, tone: 'caution' } } });
    const { text } = await http.get('/admin/queues');
    expect(text.match(/<script/g)).toHaveLength(2);
    const config = /<script type="application\/json" id="holdfast-config">(.*?)<\/script>/.exec(text)?.[1] ?? '';
    expect(config).not.toMatch(/[<>&\u2028]/);
    const { environment, version } = JSON.parse(config);
    expect(environment).toEqual({ label, tone: 'caution' });
    expect(version).toMatch(/^\d+\.\d+\.\d+/);
  });

  it('is never cached or framed, and takes scripts and styles from its own files only', async () => {
    const http = await start();
    const { headers } = await http.get('/admin/queues');
    expect(headers).toMatchObject({
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'x-frame-options': 'DENY',
    });
    const policy = headers['content-security-policy'] ?? '';
    expect(policy).toMatch(/^default-src 'none'; script-src 'self'; style-src 'self';/);
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).not.toMatch(/unsafe|nonce|\*/);
  });

  it('sends files with their type, for good where the name carries a hash', async () => {
    const http = await start();
    const script = await http.get(SCRIPT).expect(200);
    expect(script.text).toBe('console.log("dashboard");');
    expect(script.headers).toMatchObject({
      'content-type': 'text/javascript; charset=utf-8',
      'cache-control': 'private, max-age=31536000, immutable',
      'content-length': '25',
      'x-content-type-options': 'nosniff',
    });
    const icon = await http.get('/admin/queues/favicon.svg').expect(200);
    expect(icon.headers).toMatchObject({ 'content-type': 'image/svg+xml', 'cache-control': 'private, no-cache' });
    const again = await http
      .get('/admin/queues/favicon.svg')
      .set('If-None-Match', icon.headers.etag ?? '')
      .expect(304);
    expect(again.headers.etag).toBe(icon.headers.etag);
    await http.get('/admin/queues/favicon.svg').set('If-None-Match', '"other"').expect(200);
    const head = await http.head(SCRIPT).expect(200);
    expect(head.headers['content-type']).toBe('text/javascript; charset=utf-8');
  });

  it.each([
    '/assets/../../package.json',
    '/assets/..%2f..%2fpackage.json',
    '/assets/%2e%2e/%2e%2e/package.json',
    '/assets/..\\..\\package.json',
    '/assets/....//package.json',
    '/assets/%00app-1a2b3c.js',
    '/assets/app-1a2b3c.js%00.html',
    '/assets//app-1a2b3c.js',
    '/assets/',
    '/assets/__proto__',
    '/assets/older-9z8y7x.js',
    '/%2e%2e/%2e%2e/etc/passwd',
    '/../../../etc/passwd',
    '/..%5c..%5cpackage.json',
    '/constructor',
  ])('gives no file for %s', async (path) => {
    await start();
    const answer = await app.raw(`/admin/queues${path}`);
    expect(answer.text).not.toMatch(/root:|"name"|console\.log/);
    if (path.startsWith('/assets')) expect(answer.status).toBe(404);
    else if (answer.status === 200) expect(base(answer.text)).toBe('/admin/queues/');
  });

  it('says plainly that it is not built, while the API works', async () => {
    const http = await start({ files: new DashboardFiles(new Map()) });
    const page = await http.get('/admin/queues').expect(503);
    expect(page.text).toContain('The dashboard is not built');
    const style = /<style>([\s\S]*?)<\/style>/.exec(page.text)?.[1] ?? '';
    const hash = createHash('sha256').update(style).digest('base64');
    expect(page.headers['content-security-policy']).toContain(`default-src 'none'; style-src 'sha256-${hash}'`);
    await http.get('/admin/queues/api/v1/meta').expect(200);
  });
});

describe('the files of the dashboard', () => {
  it('are read once, from regular files of one folder only', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'holdfast-dashboard-'));
    try {
      await mkdir(join(folder, 'dist', 'assets'), { recursive: true });
      await writeFile(join(folder, 'secret.txt'), 'secret');
      await writeFile(join(folder, 'dist', 'index.html'), '<head></head>');
      await writeFile(join(folder, 'dist', 'assets', 'app.css'), 'body{}');
      await symlink(join(folder, 'secret.txt'), join(folder, 'dist', 'link.txt'));
      const files = await DashboardFiles.read(join(folder, 'dist'));
      await rm(join(folder, 'dist'), { recursive: true });
      expect(files.index).toBe('<head></head>');
      expect(files.file('assets/app.css')?.bytes.toString()).toBe('body{}');
      expect(files.file('link.txt')).toBeUndefined();
      expect(files.file('index.html')).toBeUndefined();
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });

  it('are an empty set where nothing was built', async () => {
    expect((await DashboardFiles.read(join(tmpdir(), 'holdfast-no-such-folder'))).index).toBeUndefined();
  });
});

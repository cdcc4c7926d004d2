import { describe, expect, it } from 'vitest';
import type { AdminRequest } from './admin-request.js';
import { mountedPath } from './mount-base.js';

function requestOf(originalUrl: string, pattern: string): AdminRequest {
  return { method: 'GET', headers: {}, originalUrl, query: {}, params: {}, socket: {}, route: { path: pattern } };
}

describe('mountedPath', () => {
  it.each([
    ['/admin/queues', '/admin/queues', '/admin/queues', ''],
    ['/admin/queues/', '/admin/queues', '/admin/queues', ''],
    ['/Admin/QUEUES/a%2Fb/c', '/admin/queues/*path', '/Admin/QUEUES', 'a%2Fb/c'],
    ['/acme/admin/jobs?state=/x', '/:tenant/admin/*', '/acme/admin', 'jobs'],
    ['/assets/a.js', '/*path', '', 'assets/a.js'],
    ['http://example.org/admin/queues/jobs', '/admin/queues/*path', '/admin/queues', 'jobs'],
    ['/admin/queues/a?b#c', '/admin/queues/*path', '/admin/queues', 'a'],
  ])('splits %s at the mount of %s', (url, pattern, mount, tail) => {
    expect(mountedPath(requestOf(url, pattern))).toEqual({ mount, tail });
  });

  it('takes the pattern of Fastify where there is one, and the mount of an Express router', () => {
    const fastify = { ...requestOf('/a/b/c', ''), routeOptions: { url: '/a/*' } };
    expect(mountedPath(fastify)).toEqual({ mount: '/a', tail: 'b/c' });
    const router = { ...requestOf('/outer/a/b', '/a/*path'), baseUrl: '/outer' };
    expect(mountedPath(router)).toEqual({ mount: '/outer/a', tail: 'b' });
  });
});

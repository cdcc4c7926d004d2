import { describe, expect, it } from 'vitest';
import { authorizeDashboard } from './dashboard-access.js';

function visit(remoteAddress: string | undefined, host: string | undefined) {
  return authorizeDashboard({
    request: { socket: { remoteAddress } },
    headers: host === undefined ? {} : { host },
    ip: remoteAddress,
  });
}

describe('authorizeDashboard', () => {
  it.each([
    ['127.0.0.1', '127.0.0.1:3000'],
    ['::1', '[::1]:3000'],
    ['::ffff:127.0.0.1', 'localhost'],
  ])('makes an operator of who comes from %s to %s', (peer, host) => {
    expect(visit(peer, host)).toEqual({ role: 'operator', actor: 'local visitor' });
  });

  it.each([
    ['another machine', '192.0.2.7', '127.0.0.1:3000'],
    ['a page that points its own name here', '127.0.0.1', 'evil.example:3000'],
    ['a name that only begins well', '127.0.0.1', 'localhost.evil.example'],
    ['no host', '127.0.0.1', undefined],
    ['a peer that is gone', undefined, 'localhost'],
  ])('lets nobody in from %s', (_, peer, host) => {
    expect(visit(peer, host)).toBeNull();
  });
});

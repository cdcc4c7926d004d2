import type { AdminRequest } from './admin-request.js';

const LOOPBACK_PEER = /^(::1|(::ffff:)?127\.\d{1,3}\.\d{1,3}\.\d{1,3})$/;
const LOOPBACK_NAMES = new Set(['localhost', '127.0.0.1', '[::1]']);
const FORWARDING_HEADERS = [
  'forwarded',
  'via',
  'x-forwarded-for',
  'x-forwarded-host',
  'x-forwarded-proto',
  'x-real-ip',
];

/**
 * Whether a person at this very machine sent the request. The peer alone proves nothing: a proxy on this machine has a loopback
 * address for all the world, and a foreign name may resolve to 127.0.0.1 in a browser here.
 */
export function comesFromThisMachine(request: AdminRequest): boolean {
  if (!LOOPBACK_PEER.test(request.socket.remoteAddress ?? '')) return false;
  if (FORWARDING_HEADERS.some((name) => request.headers[name] !== undefined)) return false;
  const url = `http://${request.headers.host ?? ''}`;
  return URL.canParse(url) && LOOPBACK_NAMES.has(new URL(url).hostname);
}

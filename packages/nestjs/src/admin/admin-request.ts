import type { IncomingHttpHeaders } from 'node:http';

/** What requests of Express and of Fastify have in common, as far as this module looks at them. */
export interface AdminRequest {
  readonly method: string;
  readonly headers: IncomingHttpHeaders;
  readonly originalUrl: string;
  readonly query: unknown;
  readonly body?: unknown;
  readonly params: Readonly<Record<string, unknown>>;
  readonly ip?: string | undefined;
  readonly socket: { readonly remoteAddress?: string | undefined };
  readonly id?: unknown;
  /** Express: the path a router is mounted on, and the pattern of the matched route. */
  readonly baseUrl?: string;
  readonly route?: { readonly path: string };
  /** Fastify: the pattern of the matched route. */
  readonly routeOptions?: { readonly url?: string | undefined };
}

/** The path as the client sent it: not decoded, without query and without the origin of an absolute request target. */
export function rawPath(request: AdminRequest): string {
  const path = request.originalUrl.replace(/^[a-z][a-z0-9+.-]*:\/\/[^/?#]*/i, '').replace(/[?#].*$/s, '');
  return path.startsWith('/') ? path : `/${path}`;
}

/** The pattern of the route that matched, as the framework holds it: `/api/admin/queues/*path`. */
export function routePattern(request: AdminRequest): string {
  return request.routeOptions?.url ?? `${request.baseUrl ?? ''}${request.route?.path ?? ''}`;
}

const SHOWABLE_ID = /^[\w.:-]{8,64}$/;

/**
 * The id that the framework or a logger gave the request, if one can search for it. The counters that both have by default start anew
 * with each process and lead nowhere.
 */
export function frameworkRequestId(request: AdminRequest): string | undefined {
  return typeof request.id === 'string' && SHOWABLE_ID.test(request.id) ? request.id : undefined;
}

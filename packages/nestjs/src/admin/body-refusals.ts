import type { AbstractHttpAdapter } from '@nestjs/core';
import { type AdminRequest, rawPath } from './admin-request.js';
import { API_ROUTES } from './api-routes.js';
import type { ProblemFilter } from './refusal.filter.js';
import { Refusal } from './refusal.js';

/** As errors of Express's parsers and of Fastify's say it. */
interface ParserError {
  readonly status?: unknown;
  readonly statusCode?: unknown;
  /** Fastify's. */
  readonly code?: unknown;
  /** Express's: what the parser refused. */
  readonly type?: unknown;
  /** Express's: why it could not be decompressed. */
  readonly errno?: unknown;
}

type FastifyErrorHandler = (error: unknown, request: AdminRequest, reply: unknown) => void;

interface FastifyRoute {
  readonly url: string;
  errorHandler?: FastifyErrorHandler;
}

interface FastifyLike {
  addHook(name: 'onRoute', hook: (route: FastifyRoute) => void): unknown;
}

/**
 * What the framework refuses while it reads a body, before it asks any guard or handler, is answered as everything else of this API: as a
 * problem. The rest of the application is left to the application.
 * @param path the mount, with a slash in front
 */
export function shapeBodyRefusals(adapter: AbstractHttpAdapter, path: string, problems: ProblemFilter): void {
  const isOurs = ownPaths(path);
  if (adapter.getType() === 'fastify') {
    adapter.getInstance<FastifyLike>().addHook('onRoute', (route) => {
      if (!isOurs(route.url)) return;
      route.errorHandler = (error, request, reply) => {
        const refusal = isOfFastifyParser(error) ? bodyRefusal(error) : undefined;
        // To the handler of the application.
        if (refusal === undefined) throw error;
        problems.refuse(request, reply, refusal);
      };
    });
    return;
  }
  // Express knows by the four parameters that it is one for errors.
  adapter.use((error: unknown, request: AdminRequest, response: unknown, next: (error: unknown) => void) => {
    const refusal = isOurs(rawPath(request)) && isOfExpressParser(error) ? bodyRefusal(error) : undefined;
    if (refusal === undefined) next(error);
    else problems.refuse(request, response, refusal);
  });
}

/** Any other error with such a status is one of a hook of the application. */
function isOfFastifyParser(error: unknown): boolean {
  const { code } = Object(error) as ParserError;
  return error instanceof SyntaxError || (typeof code === 'string' && code.startsWith('FST_ERR_CTP_'));
}

function isOfExpressParser(error: unknown): boolean {
  const { type, errno } = Object(error) as ParserError;
  return typeof type === 'string' || typeof errno === 'number';
}

function bodyRefusal(error: unknown): Refusal | undefined {
  const { status, statusCode } = Object(error) as ParserError;
  switch (status ?? statusCode) {
    case 413:
      return new Refusal(
        413,
        'BODY_TOO_LARGE',
        'The body is larger than this application takes. Nothing was changed. Its limit is an option of its body parser.',
      );
    case 400:
      return new Refusal(400, 'INVALID_REQUEST', 'body must be JSON. Nothing was changed.', 'body');
    case 415:
      return new Refusal(415, 'NOT_JSON', 'The body must be JSON in UTF-8. Nothing was changed.');
    default:
      return undefined;
  }
}

/**
 * Whether a path, or a pattern of Fastify's, is of this API, below whatever prefix. Mounted at the root, where the application may have an `api` of
 * its own, those are that take a body.
 */
function ownPaths(mount: string): (path: string) => boolean {
  const posts = API_ROUTES.filter(({ method }) => method === 'post').map(({ path }) => path.replace(/:\w+/g, '[^/]+'));
  const below = mount === '' ? `/v1/(?:${posts.join('|')})/?$` : '(?:/|$)';
  const own = new RegExp(`${escaped(mount)}/api${below}`, 'i');
  return (path) => own.test(path);
}

function escaped(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
}

import type { AbstractHttpAdapter } from '@nestjs/core';
import type { AdminRequest } from './admin-request.js';
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

type ExpressErrorHandler = (
  error: unknown,
  request: AdminRequest,
  response: unknown,
  next: (error: unknown) => void,
) => void;

interface ExpressRouter {
  readonly stack: readonly { readonly route?: { readonly path: unknown } }[];
}

interface ExpressLike {
  readonly router: ExpressRouter;
  /** Of Express 4, whose `router` throws. */
  readonly _router?: ExpressRouter;
  use(paths: readonly string[], handler: ExpressErrorHandler): unknown;
}

/** A route that nobody but this module has. */
const OWN_ROUTE = '/api/v1/jobs/:id/acts/runNow';

/**
 * What the framework refuses while it reads a body, before it asks any guard or handler, is answered as everything else of this API: as a
 * problem. The rest of the application is left to the application, also where a path of its own ends as this one's do: where this API is, behind
 * global prefixes and whatever else Nest puts in front, is read from the routes that were mapped.
 */
export class BodyRefusals {
  readonly #adapter: AbstractHttpAdapter;
  readonly #mount: string;
  readonly #problems: ProblemFilter;
  readonly #places = new Set<string>();

  /** @param mount with a slash in front, or nothing */
  constructor(adapter: AbstractHttpAdapter, mount: string, problems: ProblemFilter) {
    this.#adapter = adapter;
    this.#mount = mount;
    this.#problems = problems;
  }

  /** Before routes are mapped: Fastify asks for each route's own handler of errors while it is mapped. */
  watchRoutes(): void {
    if (this.#adapter.getType() !== 'fastify') return;
    this.#adapter.getInstance<FastifyLike>().addHook('onRoute', (route) => {
      this.#learn(route.url);
      if (!route.url.includes(`${this.#mount}/api`)) return;
      route.errorHandler = (error, request, reply) => {
        // Asked only now, because Nest may map the route that tells where this API is behind this one.
        const refusal = this.#isOwn(route.url) && isOfFastifyParser(error) ? bodyRefusal(error) : undefined;
        // To the handler of the application.
        if (refusal === undefined) throw error;
        this.#problems.refuse(request, reply, refusal);
      };
    });
  }

  /** Once routes are mapped, before Nest's own handler of errors: Express asks its handlers in the order in which they came. */
  handleErrors(): void {
    if (this.#adapter.getType() !== 'express') return;
    const express = this.#adapter.getInstance<ExpressLike>();
    const { stack } = express._router ?? express.router;
    for (const { route } of stack) {
      for (const path of [route?.path].flat()) if (typeof path === 'string') this.#learn(path);
    }
    const paths = [...this.#places].flatMap((place) => this.#pathsAt(place));
    if (paths.length === 0) return;
    // Express knows by the four parameters that it is one for errors.
    express.use(paths, (error, request, response, next) => {
      const refusal = isOfExpressParser(error) ? bodyRefusal(error) : undefined;
      if (refusal === undefined) next(error);
      else this.#problems.refuse(request, response, refusal);
    });
  }

  #learn(pattern: string): void {
    const own = `${this.#mount}${OWN_ROUTE}`;
    if (pattern.endsWith(own)) this.#places.add(pattern.slice(0, -OWN_ROUTE.length));
  }

  #isOwn(pattern: string): boolean {
    return [...this.#places].some((place) =>
      this.#pathsAt(place).some((path) => pattern === path || pattern.startsWith(`${path}/`)),
    );
  }

  /** Mounted at the root, where the application may have an `api` of its own, those alone that take a body. */
  #pathsAt(place: string): readonly string[] {
    if (this.#mount !== '') return [`${place}/api`];
    return API_ROUTES.filter(({ method }) => method === 'post').map(({ path }) => `${place}/api/v1/${path}`);
  }
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

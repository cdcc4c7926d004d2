import { Get, Res } from '@nestjs/common';
import { z } from 'zod';
import { ApiController } from './admin-controller.decorator.js';
import { AdminReply } from './admin-reply.js';
import { API_ROUTES, type ApiRoute } from './api-routes.js';
import { PACKAGE_VERSION } from './package-version.js';

const OWN_HEADER = { name: 'X-Holdfast-Request', in: 'header', required: true, schema: { const: '1' } };

const PROBLEM = {
  type: 'object',
  required: ['type', 'title', 'status', 'detail', 'code', 'requestId'],
  properties: {
    type: { type: 'string' },
    title: { type: 'string' },
    status: { type: 'integer' },
    detail: { type: 'string' },
    code: { type: 'string' },
    requestId: { type: 'string' },
    field: { type: 'string' },
    retryAfterMs: { type: 'number' },
  },
};

const DOCUMENT = JSON.stringify(openApiDocument());

/** The document of this API, made of the schemas that its requests are checked with. */
@ApiController('openapi.json')
export class OpenApiController {
  readonly #reply: AdminReply;

  constructor(reply: AdminReply) {
    this.#reply = reply;
  }

  @Get()
  show(@Res() response: unknown): void {
    this.#reply.document(response, DOCUMENT);
  }
}

export function openApiDocument(): object {
  const paths: Record<string, Record<string, object>> = {};
  for (const route of API_ROUTES) {
    const path = `/${route.path.replace(/:(\w+)/g, '{$1}')}`;
    paths[path] = { ...paths[path], [route.method]: operationOf(route) };
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Holdfast admin API',
      version: PACKAGE_VERSION,
      description:
        'Answers are the types of these names in @holdfast/contract. A POST needs the header X-Holdfast-Request: 1.',
    },
    servers: [{ url: './' }],
    paths,
    components: { schemas: { Problem: PROBLEM } },
  };
}

function operationOf({ method, path, role, summary, query, body, answer, status = 200 }: ApiRoute): object {
  return {
    operationId: `${method} ${path}`.replace(/[^a-z]+(.)/gi, (_, next: string) => next.toUpperCase()),
    summary,
    'x-holdfast-role': role,
    parameters: [...pathParameters(path), ...queryParameters(query), ...(method === 'post' ? [OWN_HEADER] : [])],
    ...(body === undefined
      ? {}
      : { requestBody: { required: true, content: { 'application/json': { schema: schemaOf(body) } } } }),
    responses: {
      [status]: {
        description: answer ?? summary,
        ...(answer === undefined
          ? {}
          : { content: { 'application/json': { schema: { type: 'object', title: answer } } } }),
      },
      default: {
        description: 'RFC 9457 problem details',
        content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } },
      },
    },
  };
}

function pathParameters(path: string): object[] {
  return [...path.matchAll(/:(\w+)/g)].map(([, name]) => ({
    name,
    in: 'path',
    required: true,
    schema: { type: 'string' },
  }));
}

function queryParameters(query: z.ZodObject | undefined): object[] {
  if (query === undefined) return [];
  const { properties = {}, required = [] } = schemaOf(query);
  return Object.entries(properties).map(([name, schema]) => ({
    name,
    in: 'query',
    required: required.includes(name),
    schema,
  }));
}

function schemaOf(schema: z.ZodType) {
  const { $schema: _dialect, ...rest } = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' });
  return rest;
}

import { vi } from 'vitest';

export interface AskedRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: Headers;
  readonly body: unknown;
}

type Answers = Readonly<Record<string, (request: AskedRequest) => { readonly status?: number; readonly body: object }>>;

/** Stands in for the server: answers by `METHOD path` below the API, and notes what was asked. */
export function answerRequests(answers: Answers): readonly AskedRequest[] {
  const asked: AskedRequest[] = [];
  vi.stubGlobal('fetch', async (url: URL, init: RequestInit) => {
    const method = init.method ?? 'GET';
    const path = url.pathname.replace(/^.*\/api\/v1\//, '');
    const body: unknown = typeof init.body === 'string' ? JSON.parse(init.body) : undefined;
    const request = { method, path, headers: new Headers(init.headers), body };
    asked.push(request);
    const answer = answers[`${method} ${path}`]?.(request) ?? { status: 404, body: { code: 'ROUTE_NOT_FOUND' } };
    return new Response(JSON.stringify({ serverTimeMs: Date.now(), ...answer.body }), { status: answer.status ?? 200 });
  });
  return asked;
}

import { afterEach, expect, it, vi } from 'vitest';
import { answerRequests } from '../testing/answering.js';
import { getJson, postJson } from './http.js';

afterEach(() => vi.unstubAllGlobals());
const signal = new AbortController().signal;

it('turns an error answer into its problem', async () => {
  const body = { title: 'Not Found', detail: 'No such job.', code: 'JOB_NOT_FOUND', requestId: 'r-1' };
  answerRequests({ 'GET jobs/a%2Fb': () => ({ status: 404, body }) });
  await expect(getJson(['jobs', 'a/b'], {}, signal)).rejects.toMatchObject({ ...body, status: 404, passing: false });
});

it('makes a problem of an answer that a proxy gave', async () => {
  vi.stubGlobal('fetch', async () => new Response('<html>Bad gateway</html>', { status: 502 }));
  await expect(getJson(['meta'], {}, signal)).rejects.toMatchObject({ status: 502, code: 'HTTP_502', passing: true });
});

it('makes a problem of no answer at all', async () => {
  vi.stubGlobal('fetch', async () => Promise.reject(new TypeError('failed to fetch')));
  await expect(getJson(['meta'], {}, signal)).rejects.toMatchObject({ status: 0, code: 'NO_ANSWER', passing: true });
});

it('marks what it posts as its own', async () => {
  const asked = answerRequests({ 'POST redrives': () => ({ body: {} }) });
  await postJson(['redrives'], { ids: ['a'] });
  expect(asked[0]?.body).toEqual({ ids: ['a'] });
  expect(asked[0]?.headers.get('X-Holdfast-Request')).toBe('1');
  expect(asked[0]?.headers.get('Content-Type')).toBe('application/json');
});

it('says that one has to sign in again where the server leads to another page, and asks no more than once', async () => {
  const led = () => Object.defineProperty(new Response(null), 'type', { value: 'opaqueredirect' });
  const asked = vi.fn<(url: URL, init: RequestInit) => Promise<Response>>(async () => led());
  vi.stubGlobal('fetch', asked);
  const wanted = { status: 401, code: 'SIGN_IN_AGAIN', refused: true, passing: false };
  await expect(getJson(['meta'], {}, signal)).rejects.toMatchObject(wanted);
  await expect(postJson(['redrives'], { ids: ['a'] })).rejects.toMatchObject(wanted);
  expect(asked.mock.calls.map(([, { redirect }]) => redirect)).toEqual(['manual', 'manual']);
});

it('says the same where a page to sign in stands in the place of the answer', async () => {
  const page = { headers: { 'Content-Type': 'text/html; charset=utf-8' } };
  vi.stubGlobal('fetch', async () => new Response('<html>Sign in</html>', page));
  await expect(getJson(['meta'], {}, signal)).rejects.toMatchObject({ status: 401, code: 'SIGN_IN_AGAIN' });
});

it('still takes an answer that broke off for none', async () => {
  vi.stubGlobal(
    'fetch',
    async () => new Response('{"serverTimeMs":1,', { headers: { 'Content-Type': 'application/json' } }),
  );
  await expect(getJson(['meta'], {}, signal)).rejects.toMatchObject({ status: 0, code: 'NO_ANSWER' });
});

import { afterEach, expect, it, vi } from 'vitest';
import { answerRequests } from '../testing/answering.js';
import { ACT_MS_MAX, getJson, LOOK_MS_MAX, postJson } from './http.js';
import { makeQueryClient } from './query-client.js';

afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
});
const signal = new AbortController().signal;

/** A server that takes requests and is never heard of again. Notes how often it was asked. */
function silentServer(begin: (broken: Promise<never>) => Promise<Response>) {
  return vi.fn((_url: URL, { signal: ended }: RequestInit) => {
    const broken = new Promise<never>((_resolve, reject) => {
      ended?.addEventListener('abort', () => reject(new DOMException('Aborted', 'AbortError')));
    });
    return begin(broken);
  });
}

/** What a promise has come to. */
function fateOf(promise: Promise<unknown>): { error?: unknown } {
  const fate: { error?: unknown } = {};
  promise.catch((error: unknown) => {
    fate.error = error;
  });
  return fate;
}

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

it.each([
  ['nothing at all', (broken: Promise<never>) => broken],
  [
    'only the beginning of an answer',
    async (broken: Promise<never>) => Object.assign(new Response('{'), { json: () => broken }),
  ],
])('gives up a look of which %s has come for half a minute, and an act later', async (_what, begin) => {
  vi.useFakeTimers();
  vi.stubGlobal('fetch', silentServer(begin));
  const look = fateOf(getJson(['meta'], {}, signal));
  const act = fateOf(postJson(['redrives'], {}));
  await vi.advanceTimersByTimeAsync(LOOK_MS_MAX - 1);
  expect([look, act]).toEqual([{}, {}]);
  await vi.advanceTimersByTimeAsync(1);
  expect(look.error).toMatchObject({ status: 0, code: 'ANSWER_LATE' });
  expect(act).toEqual({});
  await vi.advanceTimersByTimeAsync(ACT_MS_MAX);
  expect(act.error).toMatchObject({ status: 0, code: 'ANSWER_LATE' });
});

it('says so at once, instead of asking twice more behind it', async () => {
  vi.useFakeTimers();
  const asked = silentServer((broken) => broken);
  vi.stubGlobal('fetch', asked);
  const look = { queryKey: ['meta'], queryFn: () => getJson(['meta'], {}, signal) };
  // As pages do, unlike `fetchQuery`, which never tries again.
  const { retry } = makeQueryClient().getDefaultOptions().queries ?? {};
  const fate = fateOf(makeQueryClient().fetchQuery({ ...look, ...(retry === undefined ? {} : { retry }) }));
  await vi.advanceTimersByTimeAsync(LOOK_MS_MAX);
  expect(fate.error).toMatchObject({ code: 'ANSWER_LATE' });
  expect(asked).toHaveBeenCalledOnce();
});

it('ends what nobody waits for any more, and makes no problem of it', async () => {
  vi.useFakeTimers();
  vi.stubGlobal(
    'fetch',
    silentServer((broken) => broken),
  );
  const controller = new AbortController();
  const fate = fateOf(getJson(['meta'], {}, controller.signal));
  controller.abort();
  await vi.advanceTimersByTimeAsync(1);
  expect(fate.error).toMatchObject({ name: 'AbortError' });
});

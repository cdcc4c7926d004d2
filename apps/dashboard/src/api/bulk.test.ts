import { QueryClient, QueryObserver } from '@tanstack/react-query';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { OPERATION_REFRESH_MS, type RefreshOptions } from '../live/refresh.js';
import { answerRequests } from '../testing/answering.js';
import { operationQuery } from './bulk.js';

const MINUTE_MS = 60_000;
const refresh: RefreshOptions = {
  refetchInterval: OPERATION_REFRESH_MS,
  refetchIntervalInBackground: false,
  refetchOnWindowFocus: false,
  refetchOnReconnect: false,
  meta: { live: true, nudged: false },
};
let client: QueryClient;

beforeEach(() => {
  vi.useFakeTimers();
  client = new QueryClient({ defaultOptions: { queries: { retry: false } } });
});

afterEach(() => {
  client.clear();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

/** How often it is asked for in a minute. */
async function askedInAMinute(answer: { readonly status?: number; readonly body: object }): Promise<number> {
  const asked = answerRequests({ 'GET bulk/operations/o1': () => answer });
  const stop = new QueryObserver(client, operationQuery('o1', refresh)).subscribe(() => {});
  await vi.advanceTimersByTimeAsync(MINUTE_MS);
  stop();
  return asked.length;
}

it('asks for an operation that is under way each second', async () => {
  expect(await askedInAMinute({ body: { operation: { id: 'o1', status: 'running' } } })).toBeGreaterThan(50);
});

it('does not ask for one again that is over, or that the server does not know any more', async () => {
  expect(await askedInAMinute({ body: { operation: { id: 'o1', status: 'done' } } })).toBe(1);
  client.clear();
  expect(await askedInAMinute({ status: 404, body: { code: 'OPERATION_NOT_FOUND' } })).toBe(1);
});

it('asks a server that does not answer less often', async () => {
  const asked = await askedInAMinute({ status: 503, body: {} });
  expect(asked).toBeGreaterThan(5);
  expect(asked).toBeLessThan(15);
});

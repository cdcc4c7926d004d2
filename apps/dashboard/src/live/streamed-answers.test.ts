import type { ServerSentEvent } from '@holdfast/contract';
import { QueryClient, QueryObserver } from '@tanstack/react-query';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { receiverOf } from './streamed-answers.js';

let client: QueryClient;

beforeEach(() => {
  vi.useFakeTimers();
  client = new QueryClient();
});

afterEach(() => {
  client.clear();
  vi.useRealTimers();
});

function told(event: 'counts' | 'operation', data: unknown): ServerSentEvent {
  return { event, data } as ServerSentEvent;
}

it('asks for the lists again at once, and once more behind changes that came too soon', async () => {
  let asked = 0;
  const list = {
    queryKey: ['list'],
    queryFn: async () => ++asked,
    meta: { nudged: 'calm' as const },
    staleTime: Infinity,
  };
  const stop = new QueryObserver(client, list).subscribe(() => {});
  const receive = receiverOf(client);
  await vi.advanceTimersByTimeAsync(5000);
  expect(asked).toBe(1);
  for (let change = 0; change < 5; change++) {
    receive(told('counts', {}));
    await vi.advanceTimersByTimeAsync(100);
  }
  expect(asked).toBe(2);
  await vi.advanceTimersByTimeAsync(2000);
  expect(asked).toBe(3);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(asked).toBe(3);
  stop();
});

it('asks for lists half as often while changes do not stop, and for what one watches as often as before', async () => {
  const asked = { fast: 0, calm: 0 };
  const stops = (['fast', 'calm'] as const).map((nudged) => {
    const queryFn = async () => ++asked[nudged];
    const query = { queryKey: [nudged], queryFn, meta: { nudged }, staleTime: Infinity };
    return new QueryObserver(client, query).subscribe(() => {});
  });
  const receive = receiverOf(client);
  const changesFor = async (seconds: number) => {
    const before = { ...asked };
    for (let second = 0; second < seconds; second++) {
      receive(told('counts', {}));
      await vi.advanceTimersByTimeAsync(1000);
    }
    return { fast: asked.fast - before.fast, calm: asked.calm - before.calm };
  };
  await vi.advanceTimersByTimeAsync(5000);
  await changesFor(10);
  expect(await changesFor(40)).toEqual({ fast: 20, calm: 10 });
  await vi.advanceTimersByTimeAsync(10_000);
  expect(await changesFor(1)).toEqual({ fast: 1, calm: 1 });
  for (const stop of stops) stop();
});

it('does not let an answer that was on its way overwrite what the server told since', async () => {
  const queryKey = ['operation', 'o-1'];
  let answer: (value: unknown) => void = () => {};
  const queryFn = () => new Promise((resolve) => (answer = resolve));
  const stop = new QueryObserver(client, { queryKey, queryFn, staleTime: Infinity }).subscribe(() => {});
  const receive = receiverOf(client);
  const done = { operation: { id: 'o-1', status: 'done' } };
  receive(told('operation', done));
  answer({ operation: { id: 'o-1', status: 'running' } });
  await vi.advanceTimersByTimeAsync(10);
  expect(client.getQueryData(queryKey)).toEqual(done);
  stop();
});

import { QueryClient, QueryClientProvider, useQuery } from '@tanstack/react-query';
import { act, cleanup, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { togglePause } from './pause.js';
import { CALM_REFRESH_MS, useRefresh } from './refresh.js';
import { ResumedAnswers } from './resumed-answers.js';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  cleanup();
  vi.useRealTimers();
});

let answers = 0;

function Figure() {
  const figure = useQuery({ queryKey: ['figure'], queryFn: async () => ++answers, ...useRefresh(CALM_REFRESH_MS) });
  return <p>answer {figure.data}</p>;
}

it('shows what has happened during a pause as soon as it is over', async () => {
  const client = new QueryClient();
  render(
    <QueryClientProvider client={client}>
      <ResumedAnswers />
      <Figure />
    </QueryClientProvider>,
  );
  const pass = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms));
  await pass(10);
  act(togglePause);
  await pass(20 * CALM_REFRESH_MS);
  expect(screen.getByText('answer 1')).toBeDefined();
  act(togglePause);
  await pass(10);
  expect(screen.getByText('answer 2')).toBeDefined();
  client.clear();
});

import { QueryClient, QueryClientProvider, useQuery } from '@tanstack/react-query';
import { act, cleanup, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { unreachable } from '../api/problem.js';
import { Answered } from './answered.js';

interface Asked {
  readonly answer: (figure: number) => void;
  readonly fail: () => void;
}

let asked: Asked[] = [];
beforeEach(() => {
  asked = [];
});
afterEach(cleanup);

function ask(): Promise<{ serverTimeMs: number; figure: number }> {
  return new Promise((resolve, reject) => {
    asked.push({
      answer: (figure) => resolve({ serverTimeMs: 0, figure }),
      fail: () => reject(unreachable('gone')),
    });
  });
}

function Figure() {
  const query = useQuery({ queryKey: ['figure'], queryFn: ask, retry: false });
  return (
    <Answered query={query} loading={<p>loading</p>}>
      {(answer) => <p>figure {answer.figure}</p>}
    </Answered>
  );
}

function show(): void {
  const client = new QueryClient();
  render(
    <QueryClientProvider client={client}>
      <Figure />
    </QueryClientProvider>,
  );
}

const last = (): Asked => asked.at(-1) ?? expect.fail('nothing was asked');

it('keeps the problem in view while it asks again, and shows the answer when it comes', async () => {
  show();
  expect(screen.getByText('loading')).toBeDefined();
  await act(async () => last().fail());
  await userEvent.click(await screen.findByRole('button', { name: 'Try again' }));
  expect(asked).toHaveLength(2);
  expect(screen.queryByText('loading')).toBeNull();
  expect(screen.getByText('NO_ANSWER')).toBeDefined();
  await act(async () => last().answer(7));
  expect(await screen.findByText('figure 7')).toBeDefined();
  expect(screen.queryByRole('alert')).toBeNull();
});

import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { act, cleanup, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, expect, it, vi } from 'vitest';
import { Router } from 'wouter';
import { TooltipProvider } from '../../components/tooltip.js';
import { answerRequests } from '../../testing/answering.js';
import { DeadGroups } from './dead-groups.js';

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

const group = (message: string) => ({
  ...{ fingerprint: message, errorClass: 'Error', message, count: 1, queues: [], names: [], samples: [] },
  ...{ firstDeadAtMs: 0, lastDeadAtMs: 0 },
});

it('tells of errors that have come, and of one that is gone, while another one is unfolded', async () => {
  let messages = ['timeout', 'refused'];
  answerRequests({
    'GET dead/groups': () => ({
      body: { groups: messages.map(group), total: { value: messages.length, relation: 'exact' } },
    }),
  });
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  render(
    <QueryClientProvider client={client}>
      <TooltipProvider>
        <Router>
          <DeadGroups queue={undefined} />
        </Router>
      </TooltipProvider>
    </QueryClientProvider>,
  );
  await userEvent.click(await screen.findByRole('button', { name: /^Error timeout/ }));
  messages = ['new', 'timeout'];
  await act(() => client.refetchQueries());
  // What was asked for may be drawn a moment after it was answered.
  await screen.findByText('moved on');
  expect(screen.queryByText('new')).toBeNull();
  await userEvent.click(await screen.findByRole('button', { name: '1 newer: show' }));
  await screen.findByText('new');
  expect(screen.queryByText('refused')).toBeNull();
});

import { QueryClient, QueryClientProvider, useQuery } from '@tanstack/react-query';
import { act, cleanup, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, expect, it, vi } from 'vitest';
import { Router } from 'wouter';
import { memoryLocation } from 'wouter/memory-location';
import { getJson } from '../api/http.js';
import { TooltipProvider } from '../components/tooltip.js';
import { Answered } from './answered.js';
import { Frame } from './frame.js';

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

function Page() {
  const leases = useQuery({ queryKey: ['leases'], queryFn: ({ signal }) => getJson(['leases'], {}, signal) });
  return (
    <Answered query={leases} loading={<p>Loading leases</p>}>
      {() => <p>Leases</p>}
    </Answered>
  );
}

/** Refuses everything; who looks, only when it is let go. Notes what was asked. */
function refusingServer(client: QueryClient) {
  const asked: string[] = [];
  const held: (() => void)[] = [];
  vi.stubGlobal('fetch', async ({ pathname }: URL) => {
    const path = pathname.slice(pathname.lastIndexOf('/') + 1);
    asked.push(path);
    if (path === 'meta') await new Promise<void>((resolve) => held.push(resolve));
    const problem = { title: 'Forbidden', detail: 'Ask Ada for access.', code: 'ACCESS_DENIED', requestId: path };
    return new Response(JSON.stringify(problem), { status: 403 });
  });
  const letGo = async () => {
    await waitFor(() => expect(held).not.toEqual([]));
    await act(async () => {
      for (const answer of held.splice(0)) answer();
    });
    await waitFor(() => expect(client.isFetching()).toBe(0));
  };
  return { asked, letGo };
}

it('tells once that somebody is refused, in place of the page, and does not flicker when asked again', async () => {
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  const { asked, letGo } = refusingServer(client);
  render(
    <QueryClientProvider client={client}>
      <TooltipProvider>
        <Router hook={memoryLocation({ path: '/leases' }).hook}>
          <Frame notices={null} palette={null} onCommands={() => {}}>
            <Page />
          </Frame>
        </Router>
      </TooltipProvider>
    </QueryClientProvider>,
  );
  await waitFor(() => expect(client.getQueryState(['leases'])?.status).toBe('error'));
  expect(screen.getByText('Loading leases')).toBeDefined();
  expect(screen.queryByRole('alert')).toBeNull();
  await letGo();
  expect(screen.getAllByRole('alert')).toHaveLength(1);
  expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('Forbidden');

  const askedFirst = asked.filter((path) => path === 'leases').length;
  await userEvent.click(screen.getByRole('button', { name: 'Try again' }));
  await waitFor(() => expect(asked.filter((path) => path === 'meta')).toHaveLength(2));
  expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('Forbidden');
  await letGo();
  expect(screen.getAllByRole('alert')).toHaveLength(1);
  expect(asked.filter((path) => path === 'leases')).toHaveLength(askedFirst);
});

import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { act, cleanup, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import type { ReactNode } from 'react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { Router } from 'wouter';
import { TooltipProvider } from '../components/tooltip.js';
import { deadJob } from '../testing/job-samples.js';
import { Audit } from './activity/audit.js';
import { DeadGroups } from './dead/dead-groups.js';
import { DeadPage } from './dead/dead-page.js';
import { JobsPage } from './jobs/jobs-page.js';

interface PagedList {
  readonly name: string;
  readonly page: ReactNode;
  readonly at: string;
  /** Below the API. */
  readonly path: string;
  /** Its only row, with the name. */
  readonly answer: (name: string) => object;
}

const total = { value: 4, relation: 'exact' };
const jobs = (name: string) => ({ rows: [deadJob({ id: `abcde-${name.length}`, name })], total });
const groups = (message: string) => ({
  total,
  groups: [
    ...[{ fingerprint: message, errorClass: 'Error', message, count: 1, queues: [], names: [], samples: [] }],
  ].map((group) => ({ ...group, firstDeadAtMs: 0, lastDeadAtMs: 0 })),
});
const entries = (actor: string) => ({
  kept: { ageMs: 1, count: 1 },
  entries: [{ id: actor, atMs: 0, actor, role: 'admin', act: 'pause', target: { queue: 'q' }, status: 'done' }],
});
const LISTS: readonly PagedList[] = [
  { name: 'jobs', page: <JobsPage />, at: '/jobs', path: 'jobs', answer: jobs },
  { name: 'dead jobs', page: <DeadPage />, at: '/dead?view=jobs', path: 'jobs', answer: jobs },
  { name: 'errors', page: <DeadGroups queue={undefined} />, at: '/dead', path: 'dead/groups', answer: groups },
  { name: 'the audit', page: <Audit />, at: '/activity', path: 'activity', answer: entries },
];
const PAGES = ['first', 'second', 'third', 'last'];

/** Answers of pages behind the first one, until they are let go. */
let held: (() => void)[] = [];

beforeEach(() => {
  held = [];
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
  window.history.replaceState(null, '', '/');
});

/** The cursor of a page is its number. Of one that is empty all have gone since its cursor was given. */
function servePages({ path, answer }: PagedList, empty?: number): void {
  vi.stubGlobal('fetch', async (url: URL) => {
    if (!url.pathname.endsWith(`api/v1/${path}`)) return new Response('{}', { status: 404 });
    const number = Number(url.searchParams.get('cursor') ?? '0');
    if (number > 0) await new Promise<void>((resolve) => held.push(resolve));
    const next = number < PAGES.length - 1 ? { next: String(number + 1) } : {};
    const rows = number === empty ? { rows: [], groups: [] } : {};
    return new Response(JSON.stringify({ serverTimeMs: 0, ...answer(PAGES[number] ?? ''), ...next, ...rows }));
  });
}

function show(list: PagedList, empty?: number): void {
  servePages(list, empty);
  window.history.replaceState(null, '', list.at);
  const client = new QueryClient({
    defaultOptions: { queries: { retry: false, staleTime: Number.POSITIVE_INFINITY } },
  });
  render(
    <QueryClientProvider client={client}>
      <TooltipProvider>
        <Router>{list.page}</Router>
      </TooltipProvider>
    </QueryClientProvider>,
  );
}

const cursor = () => new URLSearchParams(window.location.search).get('cursor');
const button = (name: RegExp) => screen.getByRole('button', { name });
const NEXT = /^(Next|Older)$/;
const PREVIOUS = /^(Previous|Newer)$/;

async function letGo(row: string): Promise<void> {
  await waitFor(() => expect(held).not.toEqual([]));
  await act(async () => {
    for (const answer of held.splice(0)) answer();
  });
  await screen.findByText(row);
}

it.each(LISTS)('goes one page on, however often one presses before it is there: $name', async (list) => {
  show(list);
  await screen.findByText('first');
  await userEvent.click(button(NEXT));
  await userEvent.click(button(NEXT));
  await letGo('second');
  expect(cursor()).toBe('1');
  await userEvent.click(button(NEXT));
  await letGo('third');
  await userEvent.click(button(PREVIOUS));
  await screen.findByText('second');
  await userEvent.click(button(PREVIOUS));
  await screen.findByText('first');
  expect([cursor(), button(PREVIOUS).getAttribute('aria-disabled')]).toEqual([null, 'true']);
});

it('keeps focus where there is no page to go to', async () => {
  show(LISTS[0] ?? expect.fail('no list'));
  await screen.findByText('first');
  button(NEXT).focus();
  for (const row of PAGES.slice(1)) {
    await userEvent.keyboard('{Enter}');
    await letGo(row);
  }
  // A button that is disabled loses focus in browsers, though not here.
  expect([document.activeElement, button(NEXT).matches(':disabled')]).toEqual([button(NEXT), false]);
  await userEvent.keyboard('{Enter}');
  expect(cursor()).toBe('3');
});

it('shows the rows of the next page, also while some of this one are selected', async () => {
  show(LISTS[0] ?? expect.fail('no list'));
  await screen.findByText('first');
  await userEvent.click(screen.getByRole('checkbox', { name: /^Select job/ }));
  await userEvent.click(button(NEXT));
  await letGo('second');
  expect(screen.queryByText('first')).toBeNull();
  expect(screen.queryByText('moved on')).toBeNull();
  expect(screen.getByText('1 job selected')).toBeDefined();
});

it('shows the errors of the next page, also while one of this page is unfolded', async () => {
  show(LISTS[2] ?? expect.fail('no list'));
  await userEvent.click(await screen.findByRole('button', { name: /^Error first/ }));
  await userEvent.click(button(NEXT));
  await letGo('second');
  expect(screen.queryByText('first')).toBeNull();
});

it.each(LISTS.slice(0, 3))(
  'does not say that there are none where only the last page is empty: $name',
  async (list) => {
    show(list, PAGES.length - 1);
    await screen.findByText('first');
    for (const row of [...PAGES.slice(1, -1), 'Nothing is left on this page']) {
      await userEvent.click(button(NEXT));
      await letGo(row);
    }
    expect(screen.queryByText(/^No (dead )?jobs/)).toBeNull();
    await userEvent.click(button(PREVIOUS));
    await screen.findByText('third');
  },
);

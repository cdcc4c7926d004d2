import type { BulkOperation, JobAnswer } from '@holdfast/contract';
import { act, cleanup, fireEvent, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, expect, it, vi } from 'vitest';
import { Button } from '../../components/button.js';
import { answerRequests } from '../../testing/answering.js';
import { dismissToasts } from '../../testing/dismiss-toasts.js';
import { renderInPage } from '../../testing/in-page.js';
import { deadJob } from '../../testing/job-samples.js';
import { OperationCards } from '../bulk/operation-cards.js';
import { forgetOperation } from '../bulk/watched-operations.js';
import { type ActRequest, useAskToAct } from './acts-provider.js';

const meta = { role: 'admin', actor: 'ada', version: '0', features: { bulk: true }, undoWindowMs: 60_000 };
const removal = {
  ...{ id: 'o1', act: { kind: 'remove' }, selection: { ids: ['abcde-1'] }, actor: 'ada', role: 'admin' },
  ...{ status: 'waiting', planned: 1, done: 0, skipped: {}, ratePerSecond: 50 },
  ...{ createdAtMs: Date.now(), updatedAtMs: Date.now(), startsAtMs: Date.now() + 60_000 },
} as unknown as BulkOperation; // only what is shown of it
const plan = {
  ...{ matched: { value: 1, relation: 'exact' }, states: { dead: 1 }, queues: [], samples: [], eligible: 1 },
  ...{ ineligible: {}, asOfMs: Date.now(), expiresAtMs: Date.now() + 60_000 },
};

afterEach(() => {
  dismissToasts();
  act(() => forgetOperation('o1'));
  cleanup();
  vi.unstubAllGlobals();
});

function Ask({ request, label }: { readonly request: ActRequest; readonly label: string }) {
  const ask = useAskToAct();
  return <Button onClick={() => ask(request)}>{label}</Button>;
}

/** What the server answers to POST, once it is let go. */
function slowServer(path: string, answer: { status?: number; body: object }) {
  let letGo = () => {};
  const held = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  answerRequests({
    'GET meta': () => ({ body: meta }),
    'GET bulk/operations/o1': () => ({ body: { operation: removal } }),
    'POST bulk/plans': () => ({ body: { planId: 'p1', plan } }),
    [`POST ${path}`]: () => answer,
  });
  const fetchNow = globalThis.fetch;
  vi.stubGlobal('fetch', async (url: URL, init: RequestInit) => {
    if (url.pathname.endsWith(path)) await held;
    return fetchNow(url, init);
  });
  return () => letGo();
}

async function confirmAndClose(confirm: string) {
  const button = await screen.findByRole('button', { name: confirm });
  await waitFor(() => expect(button.getAttribute('aria-disabled')).toBe('false'));
  await userEvent.click(button);
  await userEvent.keyboard('{Escape}');
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
}

it('offers to undo a removal whose dialog was closed before the server had answered', async () => {
  const letGo = slowServer('bulk/operations', { status: 202, body: { operation: removal } });
  const target = { act: { kind: 'remove' as const }, selection: { ids: ['abcde-1'] } };
  renderInPage(
    <>
      <Ask label="Ask" request={{ kind: 'bulk', target }} />
      <OperationCards />
    </>,
  );
  await userEvent.click(screen.getByRole('button', { name: 'Ask' }));
  await userEvent.type(await screen.findByRole('textbox', { name: 'Reason' }), 'old');
  await confirmAndClose('Remove 1 job');
  letGo();
  await screen.findByRole('button', { name: 'Undo' });
});

it('says that an act failed whose dialog was closed before, and leaves the next dialog open', async () => {
  const letGo = slowServer('jobs/abcde-1/acts/redrive', {
    status: 409,
    body: { code: 'JOB_STATE', detail: 'It is ready.' },
  });
  renderInPage(
    <>
      <Ask label="Redrive it" request={{ kind: 'job', act: 'redrive', job: deadJob() }} />
      <Ask label="Pause" request={{ kind: 'pause', queue: 'mail' }} />
    </>,
  );
  await userEvent.click(screen.getByRole('button', { name: 'Redrive it' }));
  await confirmAndClose('Redrive');
  await userEvent.click(screen.getByRole('button', { name: 'Pause' }));
  letGo();
  await screen.findByText('It is ready.');
  expect(screen.getByRole('dialog')).toBeDefined();
});

it.each([
  ['no answer came', () => Promise.reject(new TypeError('failed to fetch')), 'NO_ANSWER'],
  ['something between has given up', async () => new Response('<html>', { status: 504 }), 'HTTP_504'],
])('does not say that an act was not done where %s: it says how to find out', async (_why, lost, code) => {
  answerRequests({ 'GET meta': () => ({ body: meta }) });
  const fetchNow = globalThis.fetch;
  vi.stubGlobal('fetch', (url: URL, init: RequestInit) => (init.method === 'POST' ? lost() : fetchNow(url, init)));
  renderInPage(<Ask label="Redrive it" request={{ kind: 'job', act: 'redrive', job: deadJob() }} />);
  await userEvent.click(screen.getByRole('button', { name: 'Redrive it' }));
  await userEvent.click(await screen.findByRole('button', { name: 'Redrive' }));
  const told = await screen.findByRole('alert');
  expect(told.textContent).toContain('It is not known whether that was done');
  expect(told.textContent).toContain('look under Activity');
  expect(told.textContent).toContain(code);
  expect(told.textContent).not.toContain('could not be done');
});

it.each([409, 501, 507])('says that an act was not done where the server says so: %d', async (status) => {
  const body = { code: 'REFUSED', detail: 'Not that.' };
  answerRequests({ 'GET meta': () => ({ body: meta }), 'POST jobs/abcde-1/acts/redrive': () => ({ status, body }) });
  renderInPage(<Ask label="Redrive it" request={{ kind: 'job', act: 'redrive', job: deadJob() }} />);
  await userEvent.click(screen.getByRole('button', { name: 'Redrive it' }));
  await userEvent.click(await screen.findByRole('button', { name: 'Redrive' }));
  expect((await screen.findByRole('alert')).textContent).toMatch(/^That could not be done/);
});

it('does once what is confirmed twice before the page was drawn again', async () => {
  const path = 'jobs/abcde-1/acts/redrive';
  const asked = answerRequests({
    'GET meta': () => ({ body: meta }),
    [`POST ${path}`]: () => ({ status: 409, body: { detail: 'It is ready.' } }),
  });
  renderInPage(<Ask label="Redrive it" request={{ kind: 'job', act: 'redrive', job: deadJob() }} />);
  await userEvent.click(screen.getByRole('button', { name: 'Redrive it' }));
  const confirm = await screen.findByRole('button', { name: 'Redrive' });
  act(() => {
    fireEvent.click(confirm);
    fireEvent.click(confirm);
  });
  await screen.findByText('It is ready.');
  const sent = () => asked.filter((request) => request.path === path).length;
  expect(sent()).toBe(1);
  // Told that it was refused, somebody may try again.
  fireEvent.click(screen.getByRole('button', { name: 'Redrive' }));
  await waitFor(() => expect(sent()).toBe(2));
});

it('makes one copy of a job, however often its dialog tries, and another one in another dialog', async () => {
  const cloning = { ...meta, features: { bulk: true, clone: true } };
  answerRequests({ 'GET meta': () => ({ body: cloning }) });
  const fetchNow = globalThis.fetch;
  const sent: { requestId?: string; payload?: string }[] = [];
  vi.stubGlobal('fetch', (url: URL, init: RequestInit) => {
    if (init.method !== 'POST') return fetchNow(url, init);
    sent.push(JSON.parse(String(init.body)));
    return Promise.reject(new TypeError('failed to fetch'));
  });
  const payload = { text: '{}', encoding: 'text', bytes: 2, truncated: false } as const;
  const job = { ...deadJob(), payload } as unknown as JobAnswer['job']; // only what is shown of it
  renderInPage(<Ask label="Clone it" request={{ kind: 'clone', job }} />);
  const open = () => userEvent.click(screen.getByRole('button', { name: 'Clone it' }));
  const confirm = async () => userEvent.click(await screen.findByRole('button', { name: 'Enqueue the copy' }));
  await open();
  await confirm();
  expect((await screen.findByRole('alert')).textContent).not.toContain('look under Activity');
  await confirm();
  await waitFor(() => expect(sent).toHaveLength(2));
  await userEvent.keyboard('{Escape}');
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  await open();
  await confirm();
  await waitFor(() => expect(sent).toHaveLength(3));
  const [first, again, other] = sent.map(({ requestId }) => requestId);
  expect(first).toMatch(/^[0-9a-f]{32}$/);
  expect([again === first, other === first]).toEqual([true, false]);
});

import type { QueueSummary, RedrivesAnswer } from '@holdfast/contract';
import { cleanup, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, expect, it, vi } from 'vitest';
import { type AskedRequest, answerRequests } from '../../testing/answering.js';
import { renderInPage } from '../../testing/in-page.js';
import { RedriveButton } from './redrive-button.js';
import type { RedriveRequest } from './redrive-request.js';

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

const queue = (name: string, dead: number) => ({ name, counts: { dead } }) as QueueSummary;
const outcome: RedrivesAnswer['outcome'] = { matched: 4, done: 2, skipped: { ready: 1, missing: 1 } };

async function openDialog(
  request: RedriveRequest,
  role = 'operator',
  redrives = () => ({ body: { outcome } as object }),
) {
  const asked = answerRequests({
    'GET meta': () => ({ body: { role, actor: 'ada', version: '0' } }),
    'GET overview': () => ({
      body: { health: { status: 'open', reopened: 0 }, queues: [queue('mail', 1_180), queue('bulk', 24)] },
    }),
    'POST redrives': redrives,
  });
  renderInPage(<RedriveButton request={request} label="Redrive" />);
  const button = await screen.findByRole('button', { name: 'Redrive' });
  if (role === 'operator') await waitFor(() => expect(button.getAttribute('aria-disabled')).toBe('false'));
  await userEvent.click(button);
  return { asked, button };
}

const posted = (asked: readonly AskedRequest[]) => asked.find((request) => request.method === 'POST')?.body;

it('names the exact number in its button, sends the reason, and says what was done and skipped', async () => {
  const onDone = vi.fn();
  const { asked, button } = await openDialog({ kind: 'ids', ids: ['a', 'b', 'c', 'd'], onDone });
  await userEvent.keyboard('SMTP restored{Control>}{Enter}{/Control}');
  await screen.findByText('2 jobs redriven');
  expect(screen.getByText('2 skipped: 1 already ready, 1 not there any more')).toBeDefined();
  expect(posted(asked)).toEqual({ ids: ['a', 'b', 'c', 'd'], reason: 'SMTP restored' });
  expect(onDone).toHaveBeenCalledOnce();
  expect(screen.queryByRole('dialog')).toBeNull();
  await waitFor(() => expect(document.activeElement).toBe(button));
});

it('counts all dead jobs of the queue, and asks for no more than that queue', async () => {
  const { asked } = await openDialog({ kind: 'allDead', queue: 'mail' });
  await userEvent.click(await screen.findByRole('button', { name: 'Redrive 1,180 jobs' }));
  await waitFor(() => expect(posted(asked)).toEqual({ allDead: { queue: 'mail' } }));
});

it('counts all dead jobs of all queues', async () => {
  const { asked } = await openDialog({ kind: 'allDead', queue: undefined });
  await userEvent.click(await screen.findByRole('button', { name: 'Redrive 1,204 jobs' }));
  await waitFor(() => expect(posted(asked)).toEqual({ allDead: {} }));
});

it('stays open with the problem when the server refuses, and does nothing twice', async () => {
  const problem = { title: 'Service Unavailable', detail: 'A sync failed.', code: 'STORE_FAILED', requestId: 'r-9' };
  const { asked } = await openDialog({ kind: 'ids', ids: ['a'] }, 'operator', () => ({ status: 503, body: problem }));
  await userEvent.click(screen.getByRole('button', { name: 'Redrive 1 job' }));
  await screen.findByText('STORE_FAILED');
  expect(screen.getByText('r-9')).toBeDefined();
  expect(screen.getByRole('dialog')).toBeDefined();
  expect(asked.filter((request) => request.method === 'POST')).toHaveLength(1);
});

it('is out of reach for a viewer, who is told why', async () => {
  const { asked, button } = await openDialog({ kind: 'ids', ids: ['a'] }, 'viewer');
  expect(button.getAttribute('aria-disabled')).toBe('true');
  expect(screen.queryByRole('dialog')).toBeNull();
  button.blur();
  button.focus();
  expect(await screen.findByRole('tooltip')).toHaveProperty(
    'textContent',
    'This needs the role operator; yours is viewer.',
  );
  expect(posted(asked)).toBeUndefined();
});

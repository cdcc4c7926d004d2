import type { BulkOperation, BulkPlanAnswer } from '@holdfast/contract';
import { cleanup, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, expect, it, vi } from 'vitest';
import { Button } from '../../components/button.js';
import { type AskedRequest, answerRequests } from '../../testing/answering.js';
import { renderInPage } from '../../testing/in-page.js';
import { useAskToAct } from '../acts/acts-provider.js';
import type { BulkRequest } from './bulk-dialog.js';

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

const plan = (change: Partial<BulkPlanAnswer['plan']> = {}): BulkPlanAnswer['plan'] => ({
  matched: { value: 40, relation: 'exact' },
  states: { dead: 37, leased: 3 },
  queues: [{ queue: 'mail', count: 40 }],
  samples: ['abcde-1', 'abcde-2'],
  eligible: 37,
  ineligible: { leased: 3 },
  asOfMs: Date.UTC(2026, 10, 30, 10),
  expiresAtMs: Date.UTC(2026, 10, 30, 11),
  ...change,
});

function Ask({ request }: { readonly request: BulkRequest }) {
  const ask = useAskToAct();
  return <Button onClick={() => ask(request)}>Ask</Button>;
}

async function openDialog(
  act: BulkRequest['target']['act'],
  planned = plan(),
  role = 'admin',
  lost: () => boolean = () => false,
) {
  const operation = { id: 'o1', status: 'running', act } as unknown as BulkOperation; // only what the start needs
  const asked = answerRequests({
    'GET meta': () => ({ body: { role, actor: 'ada', version: '0', features: { bulk: true }, undoWindowMs: 8_000 } }),
    'POST bulk/plans': () => ({ body: { planId: 'p1', plan: planned } }),
    'POST bulk/operations': () => (lost() ? { status: 504, body: {} } : { status: 202, body: { operation } }),
  });
  const onDone = vi.fn();
  const filter = { state: 'dead' as const, queue: 'mail', errorClass: 'TimeoutError' };
  renderInPage(<Ask request={{ kind: 'bulk', target: { act, selection: { filter } }, onDone }} />);
  await userEvent.click(screen.getByRole('button', { name: 'Ask' }));
  return { asked, onDone, filter };
}

const bodiesOf = (asked: readonly AskedRequest[], path: string) =>
  asked.filter((request) => request.path === path).map((request) => request.body);

it('plans exactly what was asked for, shows the split, and starts the plan and nothing else', async () => {
  const { asked, onDone, filter } = await openDialog({ kind: 'redrive' });
  const confirm = await screen.findByRole('button', { name: 'Redrive 37 jobs' });
  expect(screen.getByText('3 cannot: 3 leased')).toBeDefined();
  expect(screen.getByText('abcde-1')).toBeDefined();
  await waitFor(() => expect(confirm.getAttribute('aria-disabled')).toBe('false'));
  await userEvent.keyboard('SMTP restored{Control>}{Enter}{/Control}');
  await waitFor(() => expect(onDone).toHaveBeenCalledOnce());
  expect(bodiesOf(asked, 'bulk/plans')).toEqual([{ act: { kind: 'redrive' }, selection: { filter } }]);
  expect(bodiesOf(asked, 'bulk/operations')).toEqual([
    { planId: 'p1', requestId: expect.any(String), ratePerSecond: 10_000, reason: 'SMTP restored' },
  ]);
});

it('removes nothing without a reason, and many only after their number was typed', async () => {
  const { asked, onDone } = await openDialog({ kind: 'remove' }, plan({ eligible: 1_204, ineligible: {} }));
  const confirm = await screen.findByRole('button', { name: 'Remove 1,204 jobs' });
  await userEvent.click(confirm);
  await userEvent.type(screen.getByRole('textbox', { name: 'Reason' }), 'Test run');
  await userEvent.click(confirm);
  expect(bodiesOf(asked, 'bulk/operations')).toEqual([]);
  await userEvent.type(screen.getByRole('textbox', { name: 'Type 1204 to confirm' }), '1204');
  await userEvent.click(confirm);
  await waitFor(() => expect(onDone).toHaveBeenCalledOnce());
  expect(bodiesOf(asked, 'bulk/operations')).toEqual([
    { planId: 'p1', requestId: expect.any(String), ratePerSecond: 50, reason: 'Test run' },
  ]);
});

it('offers nothing where nothing can be changed', async () => {
  const { asked } = await openDialog({ kind: 'redrive' }, plan({ eligible: 0, ineligible: { ready: 40 } }));
  const confirm = await screen.findByRole('button', { name: 'Redrive 0 jobs' });
  expect(confirm.getAttribute('aria-disabled')).toBe('true');
  await userEvent.click(confirm);
  expect(bodiesOf(asked, 'bulk/operations')).toEqual([]);
});

it('shows a viewer the plan, and why it cannot be confirmed', async () => {
  const { asked } = await openDialog({ kind: 'redrive' }, plan(), 'viewer');
  const confirm = await screen.findByRole('button', { name: 'Redrive 37 jobs' });
  await screen.findByText('This needs the role operator; yours is viewer.');
  await userEvent.click(confirm);
  expect(bodiesOf(asked, 'bulk/operations')).toEqual([]);
});

it('asks for the queue before it counts how many go there', async () => {
  const { asked, filter } = await openDialog({ kind: 'transfer' }, plan({ states: { ready: 37 } }));
  const count = await screen.findByRole('button', { name: 'Count what this would change' });
  expect(count.getAttribute('aria-disabled')).toBe('true');
  await userEvent.type(screen.getByLabelText('To the queue'), 'mail-slow');
  expect(screen.getByText('There is no such queue yet: it begins with these jobs.')).toBeDefined();
  expect(bodiesOf(asked, 'bulk/plans')).toEqual([]);
  await userEvent.click(count);
  await screen.findByRole('button', { name: 'Move 37 jobs to mail-slow' });
  expect(bodiesOf(asked, 'bulk/plans')).toEqual([
    { act: { kind: 'transfer', queue: 'mail-slow' }, selection: { filter } },
  ]);
});

it('names itself alike at each try, so that the server begins nothing twice, and says that trying again is safe', async () => {
  let lost = true;
  const { asked, onDone } = await openDialog({ kind: 'redrive' }, plan(), 'admin', () => lost);
  const confirm = await screen.findByRole('button', { name: 'Redrive 37 jobs' });
  await waitFor(() => expect(confirm.getAttribute('aria-disabled')).toBe('false'));
  await userEvent.click(confirm);
  await screen.findByText(/You can try again here: it does not begin twice/);
  lost = false;
  await userEvent.click(screen.getByRole('button', { name: 'Redrive 37 jobs' }));
  await waitFor(() => expect(onDone).toHaveBeenCalledOnce());
  const [first, second, ...more] = bodiesOf(asked, 'bulk/operations');
  expect(first).toMatchObject({ requestId: expect.stringMatching(/^[0-9a-f]{32}$/) });
  expect(second).toEqual(first);
  expect(more).toEqual([]);
});

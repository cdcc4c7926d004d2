import type { BulkOperation } from '@holdfast/contract';
import { act, cleanup, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, expect, it, vi } from 'vitest';
import { answerRequests } from '../../testing/answering.js';
import { dismissToasts } from '../../testing/dismiss-toasts.js';
import { renderInPage } from '../../testing/in-page.js';
import { OperationTable } from '../activity/operation-table.js';
import { OperationCards } from './operation-cards.js';
import { forgetOperation, watchOperation } from './watched-operations.js';

const removal = {
  ...{ id: 'o1', act: { kind: 'remove' }, selection: { ids: ['abcde-1'] }, actor: 'ada', role: 'admin' },
  ...{ status: 'waiting', planned: 37, done: 0, skipped: {}, ratePerSecond: 50 },
  ...{ createdAtMs: Date.now(), updatedAtMs: Date.now(), startsAtMs: Date.now() + 60_000 },
} as unknown as BulkOperation; // only what is shown of it

afterEach(() => {
  dismissToasts();
  act(() => forgetOperation('o1'));
  cleanup();
  vi.unstubAllGlobals();
});

/** A server that ends while somebody takes a removal back. */
const answers = {
  'GET meta': () => ({ body: { role: 'admin', actor: 'ada', version: '0', features: { bulk: true } } }),
  'GET bulk/operations/o1': () => ({ body: { operation: removal } }),
  'POST bulk/operations/o1/abort': () => ({ status: 503, body: { title: 'Unavailable', detail: 'It restarts.' } }),
};

it('says that a removal may not have been taken back, and lets one try again', async () => {
  const asked = answerRequests(answers);
  watchOperation('o1');
  renderInPage(<OperationCards />);
  await userEvent.click(await screen.findByRole('button', { name: 'Undo' }));
  await screen.findByText('It is not known whether that was done');
  expect(screen.getByText(/^It restarts\. Before you try again, look under Activity/)).toBeDefined();
  await userEvent.click(screen.getByRole('button', { name: 'Dismiss' }));
  await userEvent.keyboard('u');
  await screen.findByText('It is not known whether that was done');
  await userEvent.click(screen.getByRole('button', { name: 'Dismiss' }));
  expect(asked.filter(({ method }) => method === 'POST')).toHaveLength(2);
});

it('says it beside the list of operations, too', async () => {
  answerRequests(answers);
  renderInPage(<OperationTable operations={[removal]} />);
  const undo = screen.getByRole('button', { name: 'Undo' });
  await waitFor(() => expect(undo.getAttribute('aria-disabled')).toBe('false'));
  await userEvent.click(undo);
  await screen.findByText(/^It restarts\./);
});

it('says that nothing is heard of an operation any more, and can be dismissed', async () => {
  let silent = false;
  answerRequests({
    ...answers,
    'GET bulk/operations/o1': () =>
      silent ? { status: 503, body: { detail: 'It restarts.' } } : { body: { operation: removal } },
  });
  watchOperation('o1');
  renderInPage(<OperationCards />);
  await screen.findByRole('button', { name: 'Undo' });
  silent = true;
  const told = await screen.findByText(/How it goes on is not known here/, {}, { timeout: 20_000 });
  expect(told.textContent).toContain('It restarts.');
  expect(screen.getByRole('button', { name: 'Undo' })).toBeDefined();
  await userEvent.click(screen.getByRole('button', { name: 'Dismiss' }));
  expect(screen.queryByRole('button', { name: 'Undo' })).toBeNull();
});

it('tells of an operation that was never heard of since it was begun', async () => {
  answerRequests({
    'GET bulk/operations/o1': () => ({ status: 404, body: { code: 'OPERATION_NOT_FOUND', detail: 'Not any more.' } }),
  });
  watchOperation('o1');
  renderInPage(<OperationCards />);
  await screen.findByText(/Not any more\./);
  await userEvent.click(screen.getByRole('button', { name: 'Dismiss' }));
  expect(screen.queryByText('An operation was begun')).toBeNull();
});

it('reads out once that a removal can be undone, and not each second of its countdown', async () => {
  answerRequests(answers);
  watchOperation('o1');
  renderInPage(<OperationCards />);
  const countdown = await screen.findByText(/^Removing 37 jobs in \d+ s$/);
  expect(countdown.closest('[role="status"]')).toBeNull();
  expect(screen.getByText(/^Removing 37 jobs soon/).getAttribute('role')).toBe('status');
});

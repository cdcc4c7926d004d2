import type { JobAnswer } from '@holdfast/contract';
import { cleanup, screen } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import { answerRequests } from '../../testing/answering.js';
import { renderInPage } from '../../testing/in-page.js';
import { deadJob } from '../../testing/job-samples.js';
import { JobActBar } from './job-act-bar.js';

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

function showBar(queue: string): void {
  answerRequests({ 'GET meta': () => ({ body: { role: 'admin', actor: 'ada', version: '0', features: {} } }) });
  renderInPage(<JobActBar job={deadJob({ queue }) as JobAnswer['job']} />); // only what the bar needs
}

it('offers what can be done to a job', async () => {
  showBar('receipts');
  expect(await screen.findByRole('button', { name: 'Remove' })).toBeDefined();
});

it('offers nothing where Holdfast keeps something of its own, and says why', async () => {
  showBar('holdfast.activity');
  expect(await screen.findByText(/Holdfast keeps this for itself/)).toBeDefined();
  expect(screen.queryByRole('button')).toBeNull();
});

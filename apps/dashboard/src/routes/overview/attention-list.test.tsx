import type { AttentionAnswer } from '@holdfast/contract';
import { cleanup, screen } from '@testing-library/react';
import { afterEach, expect, it } from 'vitest';
import { renderInPage } from '../../testing/in-page.js';
import { AttentionList } from './attention-list.js';

afterEach(cleanup);

const UNKNOWN = 'What needs attention could not be asked for.';
const quiet: AttentionAnswer = { serverTimeMs: 0, items: [], total: 0 };
const dead: AttentionAnswer = {
  ...quiet,
  items: [{ tone: 'danger', kind: 'deadJobs', jobs: 2, queues: 2 }],
  total: 1,
};

it('does not say that all is well because it once was', () => {
  renderInPage(<AttentionList answer={quiet} failed />);
  expect(screen.getByText(UNKNOWN)).toBeDefined();
  expect(screen.queryByText('Nothing needs attention.')).toBeNull();
});

it('keeps what was known to be wrong, and says that it may be more by now', () => {
  renderInPage(<AttentionList answer={dead} failed />);
  expect(screen.getByText(UNKNOWN)).toBeDefined();
  expect(screen.getByRole('link')).toBeDefined();
});

it('says that nothing needs attention where the server says so', () => {
  renderInPage(<AttentionList answer={quiet} failed={false} />);
  expect(screen.getByText('Nothing needs attention.')).toBeDefined();
  expect(screen.queryByText(UNKNOWN)).toBeNull();
});

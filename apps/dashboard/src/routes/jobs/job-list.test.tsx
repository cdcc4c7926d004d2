import { act, cleanup, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { afterEach, expect, it } from 'vitest';
import { renderInPage } from '../../testing/in-page.js';
import { deadJob } from '../../testing/job-samples.js';
import { showFirstJobColumns, toggleJobColumn } from './job-columns.js';
import { JobList } from './job-list.js';
import { useJobSelection } from './selection.js';

afterEach(cleanup);

const rows = ['abcde-3', 'abcde-2', 'abcde-1'].map((id) => deadJob({ id }));
const pages = { cursor: undefined, number: 1, isWaiting: false, next() {}, previous() {}, first() {} };

function List({ only = rows }: { only?: typeof rows }) {
  const selection = useJobSelection('all');
  const answer = { rows: only, total: { value: only.length, relation: 'exact' as const }, serverTimeMs: 0 };
  return (
    <>
      <output aria-label="selected">{selection.ids.join()}</output>
      <JobList answer={answer} family="all" label="Jobs" pages={pages} empty={<p>None</p>} selection={selection} />
      <input aria-label="a field" />
    </>
  );
}

interface Control {
  drop: (id: string) => void;
}

function ShrinkingList({ control }: { readonly control: Control }) {
  const [left, setLeft] = useState(rows);
  control.drop = (id) => setLeft(left.filter((row) => row.id !== id));
  return <List only={left} />;
}

const focusedRow = () => document.activeElement?.closest('tr')?.dataset.row;

it('walks with j and k, opens with Enter, and stops at the ends', async () => {
  const { history } = renderInPage(<List />, '/jobs?state=dead');
  await userEvent.keyboard('j');
  expect(focusedRow()).toBe('abcde-3');
  await userEvent.keyboard('jjjj');
  expect(focusedRow()).toBe('abcde-1');
  await userEvent.keyboard('k{Enter}');
  expect(history.at(-1)).toBe('/jobs?state=dead&job=abcde-2');
  await userEvent.keyboard('k');
  expect(history.at(-1)).toBe('/jobs?state=dead&job=abcde-3');
});

it('selects with x and with a range by Shift', async () => {
  renderInPage(<List />, '/dead');
  await userEvent.keyboard('jx');
  expect(screen.getByLabelText('selected').textContent).toBe('abcde-3');
  const user = userEvent.setup();
  await user.keyboard('{Shift>}');
  await user.click(screen.getByRole('checkbox', { name: 'Select job abcde-1' }));
  await user.keyboard('{/Shift}');
  expect(screen.getByLabelText('selected').textContent).toBe('abcde-3,abcde-2,abcde-1');
  await user.click(screen.getByRole('checkbox', { name: 'Select all jobs of this page' }));
  expect(screen.getByLabelText('selected').textContent).toBe('');
});

it('leaves keys to text fields', async () => {
  renderInPage(<List />, '/dead');
  await userEvent.type(screen.getByLabelText('a field'), 'jxk');
  expect(screen.getByLabelText('a field')).toHaveProperty('value', 'jxk');
  expect(screen.getByLabelText('selected').textContent).toBe('');
});

it('gives focus to the row that took the place of one that left', async () => {
  const control: Control = { drop: () => undefined };
  renderInPage(<ShrinkingList control={control} />, '/dead');
  await userEvent.keyboard('jj');
  act(() => control.drop('abcde-2'));
  expect(focusedRow()).toBe('abcde-1');
  act(() => control.drop('abcde-3'));
  expect(focusedRow()).toBe('abcde-1');
});

it('has the columns that somebody chose, the job always among them', () => {
  const heads = () => screen.getAllByRole('columnheader').map((head) => head.textContent);
  renderInPage(<List />, '/jobs');
  expect(heads().slice(1)).toEqual(['State', 'Job', 'Queue', 'Attempt', 'When', 'Last error']);
  act(() => {
    for (const column of ['queue', 'error', 'priority', 'size', 'worker'] as const) toggleJobColumn(column);
  });
  expect(heads().slice(1)).toEqual(['State', 'Job', 'Attempt', 'Priority', 'When', 'Payload', 'Worker']);
  act(showFirstJobColumns);
  expect(heads().slice(1)).toEqual(['State', 'Job', 'Queue', 'Attempt', 'When', 'Last error']);
});

it('shows hostile names as text', () => {
  renderInPage(<List only={[deadJob({ id: 'abcde-9', name: '<img src=x onerror=alert(1)>\u202e' })]} />, '/jobs');
  const row = screen.getByRole('row', { name: /abcde-9/ });
  expect(within(row).getByText('<img src=x onerror=alert(1)>', { exact: false })).toBeDefined();
  expect(row.querySelector('img')).toBeNull();
  expect(within(row).getByText('\\u202e')).toBeDefined();
});

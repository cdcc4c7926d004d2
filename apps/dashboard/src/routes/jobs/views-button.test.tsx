import { cleanup, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { renderInPage } from '../../testing/in-page.js';
import type { JobsSearch } from './jobs-search.js';
import { savedViews } from './saved-views.js';
import { ViewsButton } from './views-button.js';

afterEach(cleanup);
beforeEach(() => savedViews.set([]));

const view: JobsSearch = { state: 'dead', q: 'payload.vip:true', cursor: 'page-3', job: 'abcde-1' };
const SEARCH = '?state=dead&q=payload.vip%3Atrue';

async function openViews(of: JobsSearch) {
  const page = renderInPage(<ViewsButton view={of} />, '/jobs');
  await userEvent.click(screen.getByRole('button', { expanded: false }));
  return page;
}

it('saves a filter by a name, without its page and its open job, and leads back to it', async () => {
  await openViews(view);
  await userEvent.type(screen.getByRole('textbox', { name: 'Save this view as' }), 'VIP that failed{Enter}');
  expect(savedViews.get()).toEqual([{ name: 'VIP that failed', search: SEARCH }]);
  expect(screen.getByRole('button', { name: 'VIP that failed' })).toBe(document.activeElement);
  cleanup();

  const { history } = await openViews({});
  await userEvent.click(screen.getByRole('link', { name: 'VIP that failed' }));
  expect(history.at(-1)).toBe(`/jobs${SEARCH}`);
});

it('takes the place of one with the same name, and forgets', async () => {
  savedViews.set([{ name: 'mine', search: '?queue=mail' }]);
  await openViews(view);
  await userEvent.type(screen.getByRole('textbox'), 'mine{Enter}');
  expect(savedViews.get()).toEqual([{ name: 'mine', search: SEARCH }]);
  await userEvent.click(screen.getByRole('button', { expanded: false }));
  await userEvent.click(screen.getByRole('button', { name: 'Forget the view mine' }));
  expect(savedViews.get()).toEqual([]);
});

it('is closed by Escape, which closes nothing else, and gives focus back', async () => {
  await openViews(view);
  await userEvent.keyboard('{Escape}');
  expect(screen.queryByRole('textbox')).toBeNull();
  expect(screen.getByRole('button', { name: 'Views' })).toBe(document.activeElement);
});

import { beforeEach, expect, it } from 'vitest';
import { mountPath } from '../../mount.js';
import { forgetView, savedViews, saveView } from './saved-views.js';

const KEY = `holdfast.jobViews ${mountPath()}`;
const theirs = { name: 'theirs', search: '?queue=mail' };

beforeEach(() => savedViews.set([]));

/** As another tab of this browser does, which tells this one nothing. */
const savedElsewhere = (...views: readonly object[]) => window.localStorage.setItem(KEY, JSON.stringify(views));

it('keeps what another tab has saved since this one was opened', () => {
  savedElsewhere(theirs);
  saveView('mine', '?state=dead');
  expect(JSON.parse(window.localStorage.getItem(KEY) ?? '')).toEqual([{ name: 'mine', search: '?state=dead' }, theirs]);
});

it('forgets one view, and none of another tab', () => {
  saveView('mine', '?state=dead');
  savedElsewhere(...savedViews.get(), theirs);
  forgetView('mine');
  expect(savedViews.get()).toEqual([theirs]);
});

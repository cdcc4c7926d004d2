import type { JobState } from '@holdfast/contract';
import { describe, expect, it } from 'vitest';
import { withParams } from '../search-params.js';
import { formatJobsSearch, type JobsSearch, parseJobsSearch, TAB_STATES, withFilter } from './jobs-search.js';

describe('the address of a view', () => {
  const views: readonly JobsSearch[] = [
    {},
    { state: 'dead' },
    { queue: 'évil/queue ?#%+&= \u202e<b>', name: 'send/../%2F', cursor: 'a+b/c==', job: 'abcde-1' },
    { state: 'scheduled', queue: ' ', name: '+' },
  ];

  it.each(views)('brings back %j', (view) => {
    expect(parseJobsSearch(formatJobsSearch(view))).toEqual(view);
  });

  it('is plain for the plain page, and leaves out what is empty', () => {
    expect(formatJobsSearch({ queue: '', name: '' })).toBe('');
  });

  it('takes an unknown state for all', () => {
    expect(parseJobsSearch('?state=zombie&queue=&other=1')).toEqual({});
  });
});

it('has a tab for each state of the contract', () => {
  const states: Record<JobState, true> = {
    scheduled: true,
    ready: true,
    leased: true,
    completed: true,
    dead: true,
    cancelled: true,
  };
  expect([...TAB_STATES].sort()).toEqual(Object.keys(states).sort());
});

it('starts another filter at its first page, with the same job open', () => {
  const view: JobsSearch = { state: 'dead', queue: 'a', cursor: 'c', job: 'abcde-1' };
  expect(withFilter(view, { queue: 'b' })).toEqual({ state: 'dead', queue: 'b', job: 'abcde-1' });
  expect(withFilter(view, { state: undefined })).toEqual({ queue: 'a', job: 'abcde-1' });
});

it('changes single parameters and keeps the others', () => {
  expect(withParams('?queue=a&job=1', { job: undefined, cursor: 'x y' })).toBe('?queue=a&cursor=x+y');
  expect(withParams('?job=1', { job: undefined })).toBe('');
});

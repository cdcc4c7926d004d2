import type { LeasedJob } from '@holdfast/contract';
import { expect, it } from 'vitest';
import type { JobNotes } from './job-notes.js';
import type { LeaseKeeper } from './lease-keeper.js';
import { RunList } from './run-list.js';
import { RunningJob } from './running-job.js';

const run = (id: string) => new RunningJob({ id } as LeasedJob, 'worker', {} as LeaseKeeper, {} as JobNotes, 0);

it('holds what was added and not removed, whatever the order of both', () => {
  const list = new RunList();
  const [one, two, three, four] = ['1', '2', '3', '4'].map(run) as [RunningJob, RunningJob, RunningJob, RunningJob];
  const held = () => [...list].map(({ leased }) => leased.id).toSorted();
  for (const each of [one, two, three]) list.add(each);
  list.delete(one);
  expect(held()).toEqual(['2', '3']);
  list.add(four);
  list.delete(three);
  list.delete(four);
  expect(held()).toEqual(['2']);
  expect(list.size).toBe(1);
  list.delete(two);
  expect(held()).toEqual([]);
});

it('refuses to remove a run that is not in it', () => {
  const list = new RunList();
  const one = run('1');
  list.add(one);
  list.delete(one);
  expect(() => list.delete(one)).toThrow('removed once');
});

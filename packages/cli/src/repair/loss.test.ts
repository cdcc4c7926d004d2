import { expect, it } from 'vitest';
import { Loss } from './loss.js';

it('leaves out of the ids that nothing names those that other records name', () => {
  const loss = new Loss();
  loss.unseen({ firstId: 3, lastId: 7 });
  loss.unseen({ firstId: 9, lastId: 9 });
  loss.unknownJob(9, 'completed');
  loss.unknownJob(5, 'completed');
  loss.unknownJob(3, 'dead');
  loss.unknownJob(20, 'completed');
  expect(loss.neverSeen).toEqual([
    { firstId: 4, lastId: 4 },
    { firstId: 6, lastId: 7 },
  ]);
  expect(loss.neverSeenJobs).toBe(3);
});

it('does not know how many jobs an open end hides, but which it does not', () => {
  const loss = new Loss();
  loss.unseen({ firstId: 3, lastId: undefined });
  loss.unknownJob(3, 'completed');
  loss.unknownJob(5, 'completed');
  expect(loss.neverSeen).toEqual([
    { firstId: 4, lastId: 4 },
    { firstId: 6, lastId: undefined },
  ]);
  expect(loss.neverSeenJobs).toBeUndefined();
});

import { expect, it } from 'vitest';
import { storePlace } from './store-place.js';

it.for([
  ['postgres://a@b/c', 'postgres'],
  ['PostgreSQL:///c', 'postgres'],
  ['mysql://a@b/c', 'mysql'],
  ['mariadb://a@b/c', 'mysql'],
  ['data/queue', 'directory'],
  ['C:\\data', 'directory'],
  ['postgres', 'directory'],
] as const)('takes %s for a %s', ([word, place]) => {
  expect(storePlace(word)).toBe(place);
});

it('takes no other URL for a directory', () => {
  expect(storePlace('redis://here')).toEqual({ scheme: 'redis' });
});

import { expect, it } from 'vitest';
import { storePlace, withoutPasswords } from './store-place.js';

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

it.for([
  ['postgres://app:secret@db/app', 'postgres://app:…@db/app'],
  ['mysql://:secret@db', 'mysql://:…@db'],
  ['postgres:/app:secret@db/app', 'postgres:/app:…@db/app'],
  ['postgres://app:se cr@et/@db/app does not exist.', 'postgres://app:…@db/app does not exist.'],
  ['postgres://app@db:5432/app', 'postgres://app@db:5432/app'],
  ['data/queue of ada@example.com: it is gone', 'data/queue of ada@example.com: it is gone'],
] as const)('shows %s as %s', ([text, shown]) => {
  expect(withoutPasswords(text)).toBe(shown);
});

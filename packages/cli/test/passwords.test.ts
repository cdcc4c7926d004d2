import { expect, it } from 'vitest';
import { holdfast } from './rig.js';

it.for([
  ['postgres://app:secret@db/app'],
  ['verify', 'postgres://app:secret@db/app'],
  ['verify', 'postgres:/app:secret@db/app'],
  ['verify', 'data', 'postgres://app:secret@db/app'],
  ['dump', 'mysql://app:secret@db/app'],
  ['repair', 'data', '--to', 'mysql://app:secret@db/app'],
  ['snapshot', 'postgres://app:secret@db/app', 'backup'],
  ['move', 'redis://:secret@db', 'data'],
  ['move', 'postgres:/app:secret@db/app', 'mysql://app@127.0.0.1:1/'],
  ['dashboard', 'redis://:secret@db'],
  ['dashboard', 'postgres:/app:secret@db/app'],
])('are not shown, whatever is wrong with the words: %s', async (words) => {
  const { code, out, err } = await holdfast(words);
  expect(out).toBe('');
  expect(err).not.toContain('secret');
  expect([2, 3]).toContain(code);
});

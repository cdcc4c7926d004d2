import { expect, it } from 'vitest';
import { openPortPair } from './port-pair.js';

it('delivers copies in order, in a later turn, and lets the reader take what has already arrived', async () => {
  const [one, other] = openPortPair();
  const seen: unknown[] = [];
  const message = { list: [1] };
  one.post(message);
  one.post('second');
  one.post('third');
  message.list.push(2);
  other.listen((arrived) => seen.push(arrived, other.receive()));
  expect(seen).toEqual([]);
  await Promise.resolve();
  expect(seen).toEqual([{ list: [1] }, 'second', 'third', undefined]);
});

it('moves buffers and refuses what could not cross a thread', () => {
  const [one] = openPortPair();
  const bytes = new Uint8Array(4);
  one.post({ bytes }, [bytes.buffer]);
  expect(bytes.length).toBe(0);
  expect(() => one.post({ call: () => {} })).toThrow(/could not be cloned/);
});

it('delivers what was posted before it was closed', async () => {
  const [one, other] = openPortPair();
  const seen: unknown[] = [];
  other.listen((message) => seen.push(message));
  one.post('last');
  one.close();
  one.post('too late');
  await Promise.resolve();
  expect(seen).toEqual(['last']);
});

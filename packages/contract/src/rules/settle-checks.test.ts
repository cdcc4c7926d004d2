import { expect, it } from 'vitest';
import { checkedClone } from './act-checks.js';
import { STORE_LIMITS } from './limits.js';
import { checkedNote } from './note-rules.js';
import { checkResult } from './settle-checks.js';

const LEASE = { id: 'a-1', token: 't' };
const TEXT = 'a text of at most \\d+ bytes in UTF-8 without lone surrogates';

it.each([
  ['ack\\[2\\].result', () => checkResult(2, 'half \ud83d')],
  ['ack\\[2\\].result', () => checkResult(2, 'x'.repeat(STORE_LIMITS.resultBytesMax + 1))],
  ['ack\\[2\\].result', () => checkResult(2, new Uint8Array(STORE_LIMITS.resultBytesMax + 1))],
  ['ack\\[2\\].result', () => checkResult(2, 7 as never)],
  ['note\\[1\\].progress', () => checkedNote(1, { ...LEASE, progress: JSON.stringify('x'.repeat(2000)) })],
  ['clone.payload', () => checkedClone('a-1', { actor: 'olga' }, 'x'.repeat(STORE_LIMITS.payloadBytesMax + 1))],
])('what cannot be stored is refused with a sentence: %s', (argument, check) => {
  expect(check).toThrow(new RegExp(`^${argument} is (".*"|7|an object of class Uint8Array), but must be ${TEXT}`));
});

it('takes results up to the limit', () => {
  const { resultBytesMax } = STORE_LIMITS;
  for (const result of [undefined, '', '€', 'x'.repeat(resultBytesMax), new Uint8Array(resultBytesMax)]) {
    expect(() => checkResult(0, result)).not.toThrow();
  }
});

import { expect, it } from 'vitest';
import { Redaction } from './redaction.js';

const redaction = new Redaction({ path: '/admin' });
const inside = JSON.stringify({ id: 7, token: 'abc-secret', note: 'kept' });

it.each([
  ['a value', 'password=abc-secret is wrong'],
  ['JSON', `The receiver answered ${inside}`],
  ['JSON within JSON', `The receiver answered ${JSON.stringify({ body: inside })}`],
  ['JSON within JSON within JSON', `Sent ${JSON.stringify({ log: JSON.stringify({ body: inside }) })}`],
  ['a header', 'authorization: Bearer abc-secret, accept: json'],
])('takes a secret out of %s in a running text, and nothing else', (_, text) => {
  const shown = redaction.text(text);
  expect(shown).not.toContain('abc-secret');
  expect(shown).toContain('[redacted]');
  for (const kept of ['note', 'kept', 'is wrong', 'accept']) expect(shown.includes(kept)).toBe(text.includes(kept));
});

it('takes no long time over a text that almost holds secrets', () => {
  const texts = [`token${'\\'.repeat(100_000)}`, 'token:"'.repeat(20_000), `token\\"${' '.repeat(100_000)}`];
  for (const text of texts) expect(typeof redaction.text(text)).toBe('string');
}, 2000);

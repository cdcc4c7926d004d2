import { describe, expect, it } from 'vitest';
import { parseFilter, quoted, token, wordsOf } from './filter-tokens.js';

describe('a filter', () => {
  it.each([
    ['queue:receipts name:send', { queue: 'receipts', name: 'send' }],
    ['error:ECONNREFUSED class:TimeoutError', { errorText: 'ECONNREFUSED', errorClass: 'TimeoutError' }],
    ['error:"connect ECONNREFUSED 10.0.4.17:587"', { errorText: 'connect ECONNREFUSED 10.0.4.17:587' }],
    ['attempts:>3', { attemptsMin: 4 }],
    ['attempts:>=3', { attemptsMin: 3 }],
    ['age:>10m', { olderThanMs: 600_000 }],
    ['age:<2h', { youngerThanMs: 7_200_000 }],
    ['payload.user.id:42', { payloadPath: 'user.id', payloadValue: '42' }],
    ['payload.lines.0.sku:"TEA 01"', { payloadPath: 'lines.0.sku', payloadValue: 'TEA 01' }],
    ['k7vqm-zr49o', { id: 'k7vqm-zr49o' }],
    ['deliver', { name: 'deliver' }],
    ['enqueued:2026-11-29T10:00:00Z..', { enqueuedFromMs: Date.UTC(2026, 10, 29, 10) }],
    ['changed:..2026-11-29T00:00:00Z', { updatedBeforeMs: Date.UTC(2026, 10, 29) }],
    ['', {}],
  ])('reads %s', (text, asked) => {
    expect(parseFilter(text)).toEqual({ asked, problems: [] });
  });

  it.each(['attempts:3', 'age:10m', 'age:>10', 'enqueued:yesterday', 'enqueued:..', 'colour:red', 'queue:'])(
    'says what is wrong with %s, and asks for nothing',
    (text) => {
      const { asked, problems } = parseFilter(text);
      expect(asked).toEqual({});
      expect(problems).toHaveLength(1);
    },
  );

  it.each(['plain', 'two words', 'a "quote"', 'back\\slash', 'évil/queue ?#%+\u202e<b>', 'a:b'])(
    'brings back the value %j',
    (value) => {
      expect(parseFilter(token('queue', value)).asked).toEqual({ queue: value });
      expect(wordsOf(`name:x ${token('queue', value)}`)).toHaveLength(2);
      expect(quoted(value)).not.toContain('\n');
    },
  );
});

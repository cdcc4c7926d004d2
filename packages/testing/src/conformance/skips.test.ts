import { describe, expect, it } from 'vitest';
import { skippedTests } from './skips.js';

describe('skips of the conformance suite', () => {
  it('keep the reason of each test', () => {
    const skips = [
      { reason: 'slow', tests: ['a: one', 'a: two'] },
      { reason: 'absent', tests: ['b: one'] },
    ];
    expect([...skippedTests(skips, ['a: one', 'a: two', 'b: one', 'b: two'])]).toEqual([
      ['a: one', 'slow'],
      ['a: two', 'slow'],
      ['b: one', 'absent'],
    ]);
  });

  it.each([
    ['without a reason', [{ reason: ' ', tests: ['a: one'] }], /needs a reason: a: one/],
    ['of a test that does not exist', [{ reason: 'r', tests: ['a: three'] }], /no test of the name "a: three"/],
    [
      'that repeat each other',
      [
        { reason: 'r', tests: ['a: one'] },
        { reason: 's', tests: ['a: one'] },
      ],
      /skipped twice/,
    ],
  ])('%s are refused', (_, skips, message) => {
    expect(() => skippedTests(skips, ['a: one'])).toThrow(message);
  });
});

import { describe, expect, it } from 'vitest';
import type { RetentionOptions } from '../retention.js';
import { checkedRetention, DEFAULT_RETENTION, keptUntilMs, retentionOf } from './retention.js';

describe('retention', () => {
  it('is the default where nothing is said', () => {
    expect(checkedRetention(undefined)).toEqual(DEFAULT_RETENTION);
    expect(checkedRetention({})).toEqual(DEFAULT_RETENTION);
  });

  it('of a named queue is that of the others where it says nothing', () => {
    const retention = checkedRetention({
      completed: { count: 5 },
      dead: { ageMs: null, bytes: 1000 },
      queues: { mail: { completed: { ageMs: 1 } }, __proto__: { dead: { count: 1 } } },
    });
    const others = {
      completed: { ...DEFAULT_RETENTION.completed, count: 5 },
      cancelled: DEFAULT_RETENTION.cancelled,
      dead: { count: 100_000, ageMs: null, bytes: 1000 },
    };
    expect(retentionOf(retention, 'other')).toMatchObject(others);
    expect(retentionOf(retention, 'mail')).toEqual({ ...others, completed: { ...others.completed, ageMs: 1 } });
    expect(retentionOf(retention, 'toString')).toMatchObject(others);
    const hostile = checkedRetention({ queues: JSON.parse('{"__proto__":{"dead":{"count":1}}}') });
    expect(retentionOf(hostile, '__proto__').dead.count).toBe(1);
  });

  it.each<[string, unknown]>([
    ['retention is null', null],
    ['A name in retention is "complete"', { complete: {} }],
    ['retention.completed is 5', { completed: 5 }],
    ['A name in retention.dead is "age"', { dead: { age: 5 } }],
    ['retention.dead.count is -1', { dead: { count: -1 } }],
    ['retention.dead.count is Infinity', { dead: { count: Number.POSITIVE_INFINITY } }],
    ['retention.cancelled.ageMs is 0', { cancelled: { ageMs: 0 } }],
    ['retention.completed.bytes is 1.5', { completed: { bytes: 1.5 } }],
    ['retention.queues is "', { queues: { '': {} } }],
    ['A name in retention.queues["mail"] is "queues"', { queues: { mail: { queues: {} } } }],
    ['retention.queues["mail"].dead.count is "7"', { queues: { mail: { dead: { count: '7' } } } }],
  ])('is refused: %s', (message, options) => {
    expect(() => checkedRetention(options as RetentionOptions)).toThrow(message);
  });

  it('ends at the age, rounded up by a hundredth of it or a minute', () => {
    expect(keptUntilMs(1001, 5)).toBe(1006);
    expect(keptUntilMs(1001, 5000)).toBe(6050);
    expect(keptUntilMs(1, 86_400_000)).toBe(86_460_000);
  });
});

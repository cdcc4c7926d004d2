import { describe, expect, it } from 'vitest';
import { InvalidJobError } from '../errors.js';
import type { Backoff } from '../job.js';
import { checkedShape, DEFAULT_BACKOFF } from './job-checks.js';

const SHAPE = { queue: 'mail', name: 'send', priority: 0, maxAttempts: 5, backoff: DEFAULT_BACKOFF };

describe('a shape', () => {
  it('fills in what a backoff leaves out', () => {
    const fixed = checkedShape({ ...SHAPE, backoff: { kind: 'fixed', baseMs: 200 } }, 0);
    expect(fixed.backoff).toEqual({ kind: 'fixed', baseMs: 200, maxMs: 200, jitter: 'full' });
    const growing = checkedShape({ ...SHAPE, backoff: { kind: 'exponential', baseMs: 200, jitter: 'none' } }, 0);
    expect(growing.backoff).toEqual({ kind: 'exponential', baseMs: 200, maxMs: DEFAULT_BACKOFF.maxMs, jitter: 'none' });
  });

  it('names the job, the field and the problem of what it refuses', () => {
    const refused = () => checkedShape({ ...SHAPE, maxAttempts: 0 }, 3);
    expect(refused).toThrow(InvalidJobError);
    expect(refused).toThrow(
      expect.objectContaining({ index: 3, field: 'maxAttempts', problem: expect.stringMatching(/^is 0/) }),
    );
  });

  it('names what a backoff may say where it says something else', () => {
    const refused = () => checkedShape({ ...SHAPE, backoff: { ...DEFAULT_BACKOFF, delay: 1000 } as Backoff }, 3);
    const problem = 'is not known; there are kind, baseMs, maxMs, jitter, name';
    expect(refused).toThrow(expect.objectContaining({ index: 3, field: 'backoff.delay', problem }));
  });

  const UNREADABLE = new Proxy({}, { get: () => expect.fail('was read') });

  const LONG = 'x'.repeat(1_000_000);
  const OF_LONG_CLASS = { constructor: { name: LONG } };

  it.each([
    ...[Object.create(null), Symbol('soon'), [], () => 'source', LONG, UNREADABLE],
    ...[Symbol(LONG), 10n ** 5000n, OF_LONG_CLASS, { constructor: { name: {} } }],
  ])('shows whatever it refuses, and never at length: case %#', (given) => {
    for (const field of ['priority', 'maxAttempts'] as const) {
      const refused = () => checkedShape({ ...SHAPE, [field]: given }, 0);
      const problem = expect.stringMatching(/^is .{6,90}, but must be a whole number from/);
      expect(refused).toThrow(expect.objectContaining({ name: 'InvalidJobError', field, problem }));
    }
  });
});

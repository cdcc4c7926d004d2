import { describe, expect, it } from 'vitest';
import { InvalidArgumentError } from '../errors.js';
import { checkedActor, checkedClaim } from './call-checks.js';
import { STORE_LIMITS as LIMITS } from './limits.js';
import { checkedFilter, checkedPage, checkedSelection } from './selection-checks.js';

const CLAIM = { queues: ['mail'], limit: 1, leaseMs: 1000, worker: 'w' };

/** What a program without types may pass. */
function untyped<Value>(value: unknown): Value {
  return value as Value;
}

describe('a claim', () => {
  it('is passed on with whole milliseconds and without its signal', () => {
    const signal = new AbortController().signal;
    expect(checkedClaim({ ...CLAIM, names: ['send'], leaseMs: 1000.2, waitMs: 0.5, signal })).toEqual({
      ...CLAIM,
      names: ['send'],
      leaseMs: 1001,
      waitMs: 1,
    });
  });

  it.each([
    ['claim.queues', { queues: [] }],
    ['claim.queues', { queues: untyped('mail') }],
    ['claim.queues[1]', { queues: ['mail', ''] }],
    ['claim.queues[0]', { queues: ['ä'.repeat(51)] }],
    ['claim.names', { names: [] }],
    ['claim.names[0]', { names: ['\ud800'] }],
    ['claim.limit', { limit: 0 }],
    ['claim.limit', { limit: 1.5 }],
    ['claim.limit', { limit: LIMITS.claimJobsMax + 1 }],
    ['claim.leaseMs', { leaseMs: LIMITS.leaseMsMin - 1 }],
    ['claim.leaseMs', { leaseMs: Number.NaN }],
    ['claim.waitMs', { waitMs: -1 }],
    ['claim.waitMs', { waitMs: Number.POSITIVE_INFINITY }],
    ['claim.worker', { worker: '' }],
    ['claim.signal', { signal: untyped({ aborted: false }) }],
  ])('is refused for its %s', (argument, change) => {
    expect(() => checkedClaim({ ...CLAIM, ...untyped<object>(change) })).toThrow(InvalidArgumentError);
    expect(() => checkedClaim({ ...CLAIM, ...untyped<object>(change) })).toThrow(`${argument} is `);
  });
});

describe('what operators ask', () => {
  it('is passed on without what does not belong to it', () => {
    expect(checkedPage(untyped({ limit: 200, cursor: 'c', more: 1 }))).toEqual({ limit: 200, cursor: 'c' });
    expect(checkedFilter({ state: 'dead', queue: 'mail' })).toEqual({ state: 'dead', queue: 'mail' });
    expect(checkedSelection({ ids: ['a'] })).toEqual({ ids: ['a'] });
    expect(checkedSelection({ all: { state: 'dead', queue: 'mail' } })).toEqual({
      all: { state: 'dead', queue: 'mail' },
    });
    expect(checkedActor({ actor: 'me', reason: '' })).toEqual({ actor: 'me' });
  });

  it('is refused when it cannot be answered', () => {
    expect(() => checkedPage({ limit: 201 })).toThrow(/^page\.limit is 201/);
    expect(() => checkedPage(untyped({ limit: 1, cursor: 7 }))).toThrow(/^page\.cursor is 7/);
    expect(() => checkedFilter({ state: untyped('lost') })).toThrow(/^filter\.state is "lost"/);
    // A field that nobody looks at would show, or change, more jobs than were meant.
    expect(() => checkedFilter(untyped({ state: 'dead', names: 'a' }))).toThrow(/^filter\.names is "a"/);
    expect(() => checkedSelection(untyped({ all: { state: 'dead', names: 'a' } }))).toThrow(
      /^selection\.all\.names is "a"/,
    );
    for (const none of [{}, 'job-1', null, undefined]) {
      expect(() => checkedSelection(untyped(none))).toThrow(/^selection is /);
    }
    expect(() => checkedSelection({ ids: [untyped(7)] })).toThrow(/^selection\.ids\[0\] is 7/);
    expect(() => checkedActor({ actor: '' })).toThrow(/^by\.actor is ""/);
    expect(() => checkedActor(untyped(undefined))).toThrow(/^by is undefined/);
  });
});

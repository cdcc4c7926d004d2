import { describe, expect, it } from 'vitest';
import type { NewJob } from '../job.js';
import { requestFingerprint } from './request-rules.js';

const JOB: NewJob = { queue: 'mail', name: 'send', payload: '{}' };

describe('the fingerprint of a request', () => {
  it('is that of the released versions', () => {
    const whole: NewJob = {
      ...{ ...JOB, priority: 3, maxAttempts: null, backoff: { kind: 'fixed', baseMs: 5 } },
      ...{ delayMs: 7, expiresInMs: 9000, timeoutMs: 11, headers: { b: '2', a: '1' } },
    };
    expect(requestFingerprint([JOB, { ...JOB, payload: Uint8Array.of(1, 2) }])).toMatchInlineSnapshot(
      `"9c8adc8971e865b953a681f7034a9fa2"`,
    );
    expect(requestFingerprint([whole])).toMatchInlineSnapshot(`"4a1a055cfe4dcc75954f24bc01188cf3"`);
  });

  it('is the same for jobs that say the same', () => {
    const said: NewJob = {
      ...{ ...JOB, priority: 0, maxAttempts: 5, headers: {} },
      backoff: { kind: 'exponential', baseMs: 1000, maxMs: 3_600_000, jitter: 'full' },
    };
    expect(requestFingerprint([said])).toBe(requestFingerprint([JOB]));
    const headers = (...pairs: [string, string][]) =>
      requestFingerprint([{ ...JOB, headers: Object.fromEntries(pairs) }]);
    expect(headers(['a', '1'], ['b', '2'])).toBe(headers(['b', '2'], ['a', '1']));
  });

  it('is the same in another trace', () => {
    const trace = { traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01', baggage: 'a=1', B3: '0' };
    expect(requestFingerprint([{ ...JOB, headers: trace }])).toBe(requestFingerprint([JOB]));
    expect(requestFingerprint([{ ...JOB, headers: { ...trace, a: '1' } }])).toBe(
      requestFingerprint([{ ...JOB, headers: { a: '1' } }]),
    );
  });

  it.each<[string, Partial<NewJob>]>([
    ['queue', { queue: 'mai' }],
    ['name', { name: 'lsend' }],
    ['payload', { payload: '{ }' }],
    ['kind of payload', { payload: Buffer.from('{}') }],
    ['priority', { priority: 1 }],
    ['maxAttempts', { maxAttempts: null }],
    ['backoff', { backoff: { kind: 'fixed', baseMs: 1000 } }],
    ['delayMs', { delayMs: 1 }],
    ['runAtMs', { runAtMs: 1 }],
    ['expiresInMs', { expiresInMs: 1 }],
    ['timeoutMs', { timeoutMs: 1 }],
    ['headers', { headers: { a: '' } }],
    ['dedupe', { dedupe: { key: 'a' } }],
  ])('is another for another %s', (_, change) => {
    expect(requestFingerprint([{ ...JOB, ...change }])).not.toBe(requestFingerprint([JOB]));
  });

  it('is another for other places of the same bytes', () => {
    const split = (one: string, other: string) =>
      requestFingerprint([
        { ...JOB, payload: one },
        { ...JOB, payload: other },
      ]);
    expect(split('ab', 'c')).not.toBe(split('a', 'bc'));
  });
});

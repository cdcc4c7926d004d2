import type { FailItem, Payload } from '@holdfast/contract';
import { describe, expect, it } from 'vitest';
import { formatId, formatToken, makeToken } from '../identity.js';
import { LIMITS } from '../limits.js';
import { readAckBatch, readFailBatch } from '../protocol/settle-batch.js';
import { AckBatching, ExtendBatching, FailBatching, ReleaseBatching } from './settle-batching.js';

const storeTag = () => 'abcde';
const LEASE = { id: formatId('abcde', 7), token: formatToken(makeToken(1, 9)) };
const ERROR = { class: 'Error', message: 'no' };

/** What a program without types may pass. */
function untyped<Value>(value: unknown): Value {
  return value as Value;
}

function failItem(error: FailItem['error'], next: unknown): FailItem {
  // biome-ignore lint/suspicious/noThenProperty: the contract's word; never awaited
  return { ...LEASE, error, then: untyped<FailItem['then']>(next) };
}

describe('ids and tokens', () => {
  it('cross as numbers; those of another store as 0', () => {
    const batching = new AckBatching(storeTag);
    batching.append(LEASE, 0);
    batching.append({ id: formatId('other', 7), token: 'x' }, 1);
    expect(readAckBatch(batching.take().args)).toMatchObject([
      { id: 7, token: makeToken(1, 9) },
      { id: 0, token: 0 },
    ]);
  });

  it('are refused when they are no texts', () => {
    const batching = new AckBatching(storeTag);
    expect(() => batching.append(untyped({ ...LEASE, id: 7 }), 3)).toThrow(/^ack\[3\]\.id is 7/);
    expect(() => batching.append(untyped({ id: 'x' }), 3)).toThrow(/^ack\[3\]\.token is undefined/);
    expect(() => batching.append(untyped(null), 0)).toThrow(/^ack\[0\]\.id/);
  });
});

describe('settling', () => {
  it('weighs nothing of a call that was refused', () => {
    const batching = new AckBatching(storeTag);
    batching.append({ ...LEASE, result: '1' }, 0);
    const { count, weight } = batching;
    batching.append({ ...LEASE, result: JSON.stringify('a'.repeat(5000)) }, 0);
    batching.cutTo(count, weight);
    expect(batching.weight).toBe(weight);
    batching.append({ ...LEASE, result: '2' }, 0);
    expect(batching.weight).toBe(2 * weight);
  });

  it.each<[string, unknown]>([
    ['a number', 7],
    ['too long', 'a'.repeat(LIMITS.resultBytesMax + 1)],
    ['too long in bytes', new Uint8Array(LIMITS.resultBytesMax + 1)],
    ['a lone surrogate', '\ud800'],
  ])('refuses a result that is %s', (_, result) => {
    expect(() => new AckBatching(storeTag).append({ ...LEASE, result: untyped<Payload>(result) }, 2)).toThrow(
      /^ack\[2\]\.result is /,
    );
  });

  it('refuses more items or more bytes of results than one call may have', () => {
    const batching = new AckBatching(storeTag);
    expect(() => batching.begin(new Array(LIMITS.settleItemsMax + 1).fill(LEASE))).toThrow(/^ack\.length is 10001/);
    const results = new Array(65).fill({ ...LEASE, result: 'a'.repeat(LIMITS.resultBytesMax) });
    expect(() => batching.begin(results)).toThrow(/^ack: bytes of results is /);
  });

  it('cuts error texts instead of refusing them', () => {
    const batching = new FailBatching(storeTag);
    const error = { class: 'E'.repeat(300), message: 'm'.repeat(9000), stack: 's'.repeat(9000) };
    batching.append(failItem(error, 'dead'), 0);
    const [item] = readFailBatch(batching.take().args);
    expect([item?.error.class.length, item?.error.message.length, item?.error.stack?.length]).toEqual([
      255, 8192, 8192,
    ]);
  });

  it('refuses what should come next when it is no such thing', () => {
    const failWith = (next: unknown) => new FailBatching(storeTag).append(failItem(ERROR, next), 1);
    expect(() => failWith('later')).toThrow(/^fail\[1\]\.then is "later"/);
    expect(() => failWith({ retryInMs: -1 })).toThrow(/^fail\[1\]\.then\.retryInMs is -1/);
  });

  it('refuses durations that cannot be', () => {
    expect(() => new ReleaseBatching(storeTag).append({ ...LEASE, delayMs: -1 }, 0)).toThrow(/^release\[0\]\.delayMs/);
    expect(() => new ExtendBatching(storeTag).append({ ...LEASE, leaseMs: 1 }, 0)).toThrow(/^extend\[0\]\.leaseMs/);
  });
});

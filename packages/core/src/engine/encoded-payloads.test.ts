import type { Payload } from '@holdfast/contract';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { EncodedPayloads } from './encoded-payloads.js';
import type { JobShape } from './engine-calls.js';
import { inColumns } from './engine-jobs.js';

const SHAPE: JobShape = {
  queue: 'mail',
  name: 'send',
  priority: 0,
  maxAttempts: 1,
  backoff: { kind: 'fixed', baseMs: 1, maxMs: 1, jitter: 'none' },
};
const LONG = 300;

const anyAscii = fc.string({ unit: 'grapheme-ascii', maxLength: LONG });
const anyText = fc.string({ unit: 'grapheme', maxLength: LONG });
const anyBytes = fc.uint8Array({ maxLength: LONG });
const anyCall = fc.oneof(fc.array(anyAscii), fc.array(anyText), fc.array(fc.oneof(anyText, anyBytes)));

function columnOf(payloads: readonly Payload[]) {
  return inColumns(payloads.map((payload) => ({ shape: SHAPE, payload }))).payloads;
}

/** As a record gets it, between bytes of others. */
function copied(encoded: EncodedPayloads, index: number): Buffer {
  const length = encoded.bytesOf(index);
  const buffer = new Uint8Array(length + 10).fill(7);
  encoded.copy(index, { buffer, view: new DataView(buffer.buffer), offset: 0, bodyBytes: buffer.length }, 5);
  expect([...buffer.subarray(0, 5), ...buffer.subarray(length + 5)]).toEqual(new Array(10).fill(7));
  return Buffer.from(buffer.subarray(5, length + 5));
}

describe('the payloads of a call', () => {
  it('are encoded together as each of them alone, call after call', () => {
    const encoded = new EncodedPayloads();
    fc.assert(
      fc.property(anyCall, (payloads) => {
        encoded.encode(columnOf(payloads));
        const each = payloads.map((payload) => Buffer.from(payload as string));
        expect(payloads.map((_, index) => copied(encoded, index))).toEqual(each);
        expect(encoded.starts[payloads.length]).toBe(each.reduce((sum, { length }) => sum + length, 0));
      }),
    );
  });

  it('may be many and large, and small ones again', () => {
    const encoded = new EncodedPayloads();
    for (const payloads of [new Array(5000).fill('ä'), ['b'.repeat(9 * 1024 * 1024)], ['c', 'd']]) {
      encoded.encode(columnOf(payloads));
      const last = payloads.length - 1;
      expect(copied(encoded, last).equals(Buffer.from(payloads[last]!))).toBe(true);
    }
  });
});

import type { Payload } from '@holdfast/contract';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { PayloadColumn } from '../engine/engine-calls.js';
import { buffersOf, PayloadColumnReader, PayloadColumnWriter } from './payload-column.js';

function columnOf(payloads: readonly (Payload | undefined)[]): PayloadColumn {
  const writer = new PayloadColumnWriter();
  for (const payload of payloads) writer.add(payload);
  return writer.take();
}

function readAll(column: PayloadColumn): (Payload | undefined)[] {
  const reader = new PayloadColumnReader(column);
  return Array.from(column.lengths, () => reader.next());
}

/** As between two threads. */
function crossed(column: PayloadColumn): PayloadColumn {
  return structuredClone(column, { transfer: [...buffersOf(column)] });
}

const anyPayload = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.string({ unit: 'grapheme' }),
  fc.uint8Array(),
  fc.constant(undefined),
);

describe('payload column', () => {
  it('gives back what was added, whatever it is', () => {
    fc.assert(
      fc.property(fc.array(anyPayload), (payloads) => {
        expect(readAll(crossed(columnOf(payloads)))).toEqual(payloads);
      }),
    );
  });

  it('keeps empty, astral and large texts and every byte', () => {
    const payloads = ['', '𝕳😀', 'ä'.repeat(1024 * 1024), '\u0000\n"', new Uint8Array(0), bytes(256), 'end'];
    expect(readAll(crossed(columnOf(payloads)))).toEqual(payloads);
  });

  it('forgets what was cut off, also bytes', () => {
    const writer = new PayloadColumnWriter();
    for (const payload of ['kept', bytes(3), 'cut', bytes(5000)]) writer.add(payload);
    writer.cutTo(2);
    writer.add(bytes(2));
    expect(readAll(crossed(writer.take()))).toEqual(['kept', bytes(3), bytes(2)]);
  });

  it('holds what it held before when bytes cannot be copied', () => {
    class Longer extends Uint8Array {
      override get length(): number {
        return 3;
      }
    }
    const writer = new PayloadColumnWriter();
    writer.add(bytes(10));
    expect(() => writer.add(new Longer(5000))).toThrow(RangeError);
    writer.cutTo(1);
    writer.add(bytes(4));
    expect(readAll(writer.take())).toEqual([bytes(10), bytes(4)]);
  });

  it('is not changed when the caller uses its buffer again', () => {
    const writer = new PayloadColumnWriter();
    const buffer = bytes(4);
    writer.add(buffer);
    buffer.fill(9);
    expect(readAll(writer.take())).toEqual([bytes(4)]);
  });

  it('copies only the bytes that were given, not the pool that they are a view of', () => {
    const column = columnOf([Buffer.from('abc')]);
    expect(column.bytes?.buffer.byteLength).toBe(3);
  });

  it('is empty after take', () => {
    const writer = new PayloadColumnWriter();
    writer.add(bytes(3));
    writer.take();
    expect(writer.count).toBe(0);
    expect(readAll(writer.take())).toEqual([]);
  });
});

function bytes(count: number): Uint8Array {
  return Uint8Array.from({ length: count }, (_, index) => index % 256);
}

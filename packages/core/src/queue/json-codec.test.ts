import { PayloadNotJsonError } from '@holdfast/contract';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { jsonCodec } from './json-codec.js';

class Money {
  constructor(readonly cents: number) {}
  toJSON(): string {
    return `${this.cents} ct`;
  }
}

/** -0 is the one number that comes back as another. */
function withPlainZero(value: unknown): unknown {
  if (value === 0) return 0;
  if (Array.isArray(value)) return value.map(withPlainZero);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([key, part]) => [key, withPlainZero(part)]);
  return Object.fromEntries(entries);
}

function contains(itself: Record<string, unknown>): Record<string, unknown> {
  itself.inner = { itself };
  return itself;
}

describe('jsonCodec refuses what JSON would change, naming where', () => {
  const refused: [string, unknown, string, RegExp][] = [
    ['undefined alone', undefined, 'payload', /undefined/],
    ['undefined in a list', { items: [1, undefined] }, 'payload.items[1]', /undefined/],
    ['a hole in a list', new Array(2), 'payload[0]', /undefined/],
    ['BigInt', { order: { cents: 10n } }, 'payload.order.cents', /BigInt 10n/],
    ['NaN', [[Number.NaN]], 'payload[0][0]', /NaN/],
    ['Infinity', { 'a b': -Infinity }, 'payload["a b"]', /-Infinity/],
    ['a function', { call() {} }, 'payload.call', /function/],
    ['a symbol', { mark: Symbol('x') }, 'payload.mark', /symbol/],
    ['a Date', { at: new Date(0) }, 'payload.at', /toISOString/],
    ['a Map', { map: new Map([[1, 2]]) }, 'payload.map', /Map/],
    ['a Set', { set: new Set([1]) }, 'payload.set', /Set/],
    ['bytes', { bytes: Buffer.from('x') }, 'payload.bytes', /Buffer/],
    ['a typed array', new Float64Array(1), 'payload', /Float64Array/],
    ['a class instance', { price: new Money(5) }, 'payload.price', /Money/],
    ['an Error', { error: new RangeError('x') }, 'payload.error', /RangeError/],
    ['a boxed string', [new String('x')], 'payload[0]', /String/],
    ['a plain object that says how it is written', { toJSON: () => 1 }, 'payload.toJSON', /function/],
    ['an object on another object', Object.create({ inherited: 1 }), 'payload', /instance/],
  ];

  it.each(refused)('%s', (_, value, path, problem) => {
    const encode = () => jsonCodec.encode(value, 'payload');
    expect(encode).toThrow(PayloadNotJsonError);
    expect(encode).toThrow(expect.objectContaining({ path, message: expect.stringMatching(problem) }));
  });

  it('a value that contains itself', () => {
    expect(() => jsonCodec.encode(contains({}), 'payload')).toThrow(/contains itself/);
  });
});

describe('jsonCodec keeps', () => {
  it('every JSON value, and texts that are no valid Unicode', () => {
    fc.assert(
      fc.property(fc.jsonValue({ stringUnit: 'binary' }), (value) => {
        expect(jsonCodec.decode(jsonCodec.encode(value, 'payload'))).toEqual(withPlainZero(value));
      }),
    );
    expect(jsonCodec.decode(jsonCodec.encode('\ud800', 'payload'))).toBe('\ud800');
  });

  it('objects without a prototype, and shared parts', () => {
    const shared = Object.assign(Object.create(null), { a: 1 });
    expect(jsonCodec.decode(jsonCodec.encode([shared, shared], 'payload'))).toEqual([{ a: 1 }, { a: 1 }]);
  });

  it('all but undefined properties, which are absent afterwards', () => {
    expect(jsonCodec.decode(jsonCodec.encode({ a: undefined, b: null }, 'payload'))).toEqual({ b: null });
  });

  it('text that arrives as bytes, and refuses bytes that are no text', () => {
    expect(jsonCodec.decode(new TextEncoder().encode('{"ä":1}'))).toEqual({ ä: 1 });
    expect(() => jsonCodec.decode(new Uint8Array([0x22, 0xff, 0x22]))).toThrow(TypeError);
  });
});

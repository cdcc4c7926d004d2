import { PayloadUnsupportedError } from '@holdfast/contract';
import { describe, expect, it } from 'vitest';
import { richCodec } from './rich-codec.js';

function roundTrip(value: unknown): unknown {
  return richCodec.decode(richCodec.encode(value, 'payload'));
}

const circle: { self?: unknown; twice: object[] } = { twice: [] };
circle.self = circle;

describe('richCodec', () => {
  it.each<[string, unknown]>([
    ['plain values', { text: 'é\u2028</script>', list: [1, null, true, -0.5], nothing: {} }],
    ['dates', { at: new Date('2026-02-03T04:05:06.789Z'), never: new Date(Number.NaN) }],
    ['BigInt', 12345678901234567890n],
    ['maps and sets', new Map<unknown, unknown>([[{ key: 1 }, new Set(['a', 2n])]])],
    ['bytes', { bytes: new Uint8Array([0, 255, 7]), words: new Float64Array([1.5, Number.NaN]) }],
    ['undefined and strange numbers', [undefined, Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]],
    ['a hole-free list of nothing', []],
    ['expressions and addresses', { pattern: /a+/giu, page: new URL('https://example.org/x?y=1') }],
    ['a property that is called __proto__ in JSON only', JSON.parse('{"constructor":1,"toString":2}')],
  ])('brings %s back as they were', (_, value) => {
    expect(roundTrip(value)).toEqual(value);
  });

  it('tells 0 from -0, and keeps what occurs twice or contains itself', () => {
    expect(Object.is(roundTrip(-0), -0)).toBe(true);
    const shared = { a: 1 };
    const [one, other] = roundTrip([shared, shared]) as object[];
    expect(one).toBe(other);
    const back = roundTrip(circle) as typeof circle;
    expect(back.self).toBe(back);
  });

  it('brings a Buffer back as Uint8Array', () => {
    expect(roundTrip(Buffer.from('hi'))).toEqual(new Uint8Array([104, 105]));
  });

  it.each<[string, unknown, string]>([
    ['a function', { items: [{ price: () => 1 }] }, 'payload.items[0].price'],
    ['a symbol', { tag: Symbol('x') }, 'payload.tag'],
    ['an instance of a class', { order: new (class Order {})() }, 'payload.order'],
    ['a promise', Promise.resolve(1), 'payload'],
  ])('refuses %s and names its path', (_, value, path) => {
    expect(() => richCodec.encode(value, 'payload')).toThrow(PayloadUnsupportedError);
    expect(() => richCodec.encode(value, 'payload')).toThrow(expect.objectContaining({ path }));
  });

  it.each(['{"a":1}', 'nonsense', '[[99]]', new Uint8Array([0xff])])(
    'refuses to read what it did not write: %s',
    (payload) => {
      expect(() => richCodec.decode(payload)).toThrow();
    },
  );

  it('makes no prototype of what it reads', () => {
    const decode = () => richCodec.decode('[{"__proto__":1},{"polluted":2},true]');
    expect(decode).toThrow();
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
  });
});

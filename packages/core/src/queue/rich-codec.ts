import { type Payload, PayloadUnsupportedError } from '@holdfast/contract';
import { parse, stringify } from 'devalue';
import type { PayloadCodec } from './payload-codec.js';

/**
 * A codec for what JSON cannot hold: Date, BigInt, Map, Set, typed arrays, RegExp, URL, `undefined`, NaN, infinities, -0, values
 * that occur twice or contain themselves. Functions, symbols, promises and instances of other classes are refused with
 * `PayloadUnsupportedError` naming their path. A Buffer comes back as Uint8Array. Reads only what it wrote itself.
 */
export const richCodec: PayloadCodec = {
  encode(value: unknown, path: string): string {
    try {
      return stringify(value);
    } catch (error) {
      throw new PayloadUnsupportedError(`${path}${pathIn(error)}`, messageOf(error), { cause: error });
    }
  },

  decode(payload: Payload): unknown {
    return parse(typeof payload === 'string' ? payload : utf8.decode(payload));
  },
};

/** The library's errors say where in the value they stopped. */
function pathIn(error: unknown): string {
  const path: unknown = error instanceof Error && 'path' in error ? error.path : undefined;
  return typeof path === 'string' ? path : '';
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

const utf8 = new TextDecoder('utf-8', { fatal: true });

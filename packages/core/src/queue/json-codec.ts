import { type Payload, PayloadNotJsonError } from '@holdfast/contract';
import { findJsonProblem } from './json-check.js';
import type { PayloadCodec } from './payload-codec.js';

/**
 * JSON text, the default codec. What JSON would change or drop without a word is refused with `PayloadNotJsonError`
 * naming its path: BigInt, NaN, infinities, functions, symbols, `undefined` in a list or alone, dates, maps, sets,
 * bytes, every other class instance, cycles. Two changes are accepted because nobody can tell them from the value that
 * they sent: a property that is `undefined` is absent afterwards, and -0 is 0. Not looked at, as in JSON: properties
 * with symbols as keys, not enumerable ones, those of a list.
 */
export const jsonCodec: PayloadCodec = {
  encode(value: unknown, path: string): string {
    const problem = findJsonProblem(value);
    if (problem !== undefined) throw new PayloadNotJsonError(`${path}${shortPath(problem.path)}`, problem.problem);
    return JSON.stringify(value);
  },

  decode(payload: Payload): unknown {
    return JSON.parse(typeof payload === 'string' ? payload : utf8.decode(payload));
  },
};

/** The path into a value that contains itself has as many steps as were walked: the first ones show which part it is. */
function shortPath(path: string): string {
  return path.length > PATH_LETTERS_MAX ? `${path.slice(0, PATH_LETTERS_MAX)}…` : path;
}

const PATH_LETTERS_MAX = 120;

const utf8 = new TextDecoder('utf-8', { fatal: true });

/**
 * Inside a store a job id and a token are numbers; outside they are texts that nobody should take apart. An id carries a tag of
 * its store, so that ids of two stores are never mixed up. A token is its epoch and its counter in hexadecimal digits of fixed
 * width, so that a later token of a store is also the greater text: whoever fences a write of his own can compare it anywhere. A store on
 * a database counts its leases without epochs, so its tokens begin at epoch 0. All stores that keep jobs on a disk use the same
 * texts: that is what lets a store be moved into another one (docs/moving-stores.md) without a change of any id.
 */

const TAG_LETTERS = 'abcdefghjkmnpqrstvwxyz0123456789';
const TAG_LENGTH = 5;
const DASH = '-'.charCodeAt(0);
const POINT = '.'.charCodeAt(0);
const DIGIT_0 = '0'.charCodeAt(0);
const DIGIT_9 = '9'.charCodeAt(0);
const LETTER_A = 'a'.charCodeAt(0);
const LETTER_Z = 'z'.charCodeAt(0);
const ID_DIGITS_MAX = 11;
const EPOCH_DIGITS = 6;
const TOKEN_LENGTH = 15;
const COUNTERS = 2 ** 32;
/** 21 bits: with 32 bits of counter a token stays exact in a double. */
const EPOCH_MAX = 2 ** 21 - 1;
/** Every byte in two hexadecimal digits. */
const HEX = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'));

/** Five letters that stand for a store, taken from its 16-byte id. */
export function storeTag(storeId: Uint8Array): string {
  let tag = '';
  for (let index = 0; index < TAG_LENGTH; index++) tag += TAG_LETTERS[(storeId[index] ?? 0) & 31];
  return tag;
}

export function formatId(tag: string, id: number): string {
  return `${tag}-${id.toString(36)}`;
}

/** The number of an id of this store; `undefined` for any other text. By hand: patterns cost an ack more than all the rest. */
export function parseId(tag: string, text: string): number | undefined {
  const from = tag.length + 1;
  if (!text.startsWith(tag) || text.charCodeAt(tag.length) !== DASH) return undefined;
  if (text.length === from || text.length > from + ID_DIGITS_MAX || text.charCodeAt(from) === DIGIT_0) return undefined;
  const id = parseDigits(text, from, text.length, 36);
  return Number.isSafeInteger(id) ? id : undefined;
}

export function makeToken(epoch: number, counter: number): number {
  return epoch * COUNTERS + counter;
}

export function formatToken(token: number): string {
  const epoch = Math.floor(token / COUNTERS);
  return `${hexOfByte(epoch >>> 16)}${hexOfByte(epoch >>> 8)}${hexOfByte(epoch)}.${hexOf32Bits(token % COUNTERS)}`;
}

/** The number of a token; 0, which no lease ever has, for any other text. */
export function parseToken(text: string): number {
  if (text.length !== TOKEN_LENGTH || text.charCodeAt(EPOCH_DIGITS) !== POINT) return 0;
  const epoch = parseDigits(text, 0, EPOCH_DIGITS, 16);
  const counter = parseDigits(text, EPOCH_DIGITS + 1, TOKEN_LENGTH, 16);
  return epoch <= EPOCH_MAX && !Number.isNaN(counter) ? makeToken(epoch, counter) : 0;
}

function hexOf32Bits(value: number): string {
  return hexOfByte(value >>> 24) + hexOfByte(value >>> 16) + hexOfByte(value >>> 8) + hexOfByte(value);
}

/** Of the lowest eight bits. */
function hexOfByte(value: number): string {
  return HEX[value & 255] ?? '';
}

/** The number that a part of a text is; NaN if a character is no digit. Small letters only. */
function parseDigits(text: string, from: number, to: number, radix: number): number {
  let value = 0;
  for (let index = from; index < to; index++) {
    const digit = digitOf(text.charCodeAt(index));
    if (digit >= radix) return Number.NaN;
    value = value * radix + digit;
  }
  return value;
}

function digitOf(code: number): number {
  if (code >= DIGIT_0 && code <= DIGIT_9) return code - DIGIT_0;
  return code >= LETTER_A && code <= LETTER_Z ? code - LETTER_A + 10 : Number.POSITIVE_INFINITY;
}

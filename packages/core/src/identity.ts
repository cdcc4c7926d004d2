import { LIMITS } from './limits.js';

/**
 * Inside the store a job id and a token are numbers; outside they are texts that nobody should take apart. An id carries a tag of
 * its store, so that ids of two stores are never mixed up. A token is its epoch and its counter in hexadecimal digits of fixed
 * width, so that a later token of a store is also the greater text: whoever fences a write of his own can compare it anywhere.
 */

const TAG_LETTERS = 'abcdefghjkmnpqrstvwxyz0123456789';
const TAG_LENGTH = 5;
const ID_PATTERN = /^([a-z0-9]{5})-([0-9a-z]{1,11})$/;
const TOKEN_PATTERN = /^([0-9a-f]{6})\.([0-9a-f]{8})$/;
const EPOCH_DIGITS = 6;
const COUNTER_DIGITS = 8;
const COUNTERS = 2 ** 32;

/** Five letters that stand for a store, taken from its 16-byte id. */
export function storeTag(storeId: Uint8Array): string {
  let tag = '';
  for (let index = 0; index < TAG_LENGTH; index++) tag += TAG_LETTERS[(storeId[index] ?? 0) & 31];
  return tag;
}

export function formatId(tag: string, id: number): string {
  return `${tag}-${id.toString(36)}`;
}

/** The number of an id of this store; `undefined` for any other text. */
export function parseId(tag: string, text: string): number | undefined {
  const match = ID_PATTERN.exec(text);
  if (match?.[1] !== tag) return undefined;
  const id = Number.parseInt(match[2] ?? '', 36);
  return Number.isSafeInteger(id) && id > 0 && formatId(tag, id) === text ? id : undefined;
}

export function makeToken(epoch: number, counter: number): number {
  return epoch * COUNTERS + counter;
}

export function formatToken(token: number): string {
  const epoch = Math.floor(token / COUNTERS).toString(16);
  const counter = (token % COUNTERS).toString(16);
  return `${epoch.padStart(EPOCH_DIGITS, '0')}.${counter.padStart(COUNTER_DIGITS, '0')}`;
}

/** The number of a token; 0, which no lease ever has, for any other text. */
export function parseToken(text: string): number {
  const match = TOKEN_PATTERN.exec(text);
  if (match === null) return 0;
  const epoch = Number.parseInt(match[1] ?? '', 16);
  return epoch <= LIMITS.epochMax ? makeToken(epoch, Number.parseInt(match[2] ?? '', 16)) : 0;
}

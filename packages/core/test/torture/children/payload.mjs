import { createHash } from 'node:crypto';

/** @typedef {import('../seeded.mjs').Seeded} Seeded */
/** @typedef {string | Uint8Array} Payload */

const LETTERS = 'abcdefghijklmnopqrstuvwxyz {}":,0123456789äπ\u0000';

/**
 * A payload that says its key and is filled up with anything.
 * @param {string} key
 * @param {Seeded} random
 * @returns {Payload}
 */
export function makePayload(key, random) {
  const letters = LETTERS[random.below(LETTERS.length)] ?? '';
  const text = `${key}\n${letters.repeat(random.chance(0.03) ? random.below(60_000) : random.below(300))}`;
  return random.chance(0.3) ? Buffer.from(text) : text;
}

/**
 * What of a payload goes into a journal.
 * @param {Payload} payload
 */
export function seenPayload(payload) {
  const kind = typeof payload === 'string' ? 'text' : 'bytes';
  const bytes = Buffer.from(payload);
  const end = bytes.indexOf(10);
  return {
    key: bytes.toString('utf8', 0, end === -1 ? 40 : end),
    hash: createHash('sha1').update(kind).update(bytes).digest('base64'),
  };
}

import type { Payload } from '../job.js';
import { STORE_LIMITS as LIMITS } from './limits.js';

/**
 * Why a text cannot be stored as UTF-8, if so. A lone surrogate has no bytes in UTF-8: writing it would silently change it.
 */
export function textProblem(text: string, bytesMax: number): string | undefined {
  // No UTF-16 unit needs more than three bytes, so most texts need not be counted.
  if (text.length * 3 > bytesMax && Buffer.byteLength(text) > bytesMax) {
    return `is ${Buffer.byteLength(text)} bytes long in UTF-8, but must be at most ${bytesMax}`;
  }
  return text.isWellFormed() ? undefined : 'holds a lone surrogate, which UTF-8 cannot hold';
}

/** Why a payload cannot be stored, if so. */
export function payloadProblem(payload: Payload): string | undefined {
  if (typeof payload === 'string') return textProblem(payload, LIMITS.payloadBytesMax);
  if (!(payload instanceof Uint8Array)) return 'must be a string or a Uint8Array';
  if (payload.length <= LIMITS.payloadBytesMax) return undefined;
  return `is ${payload.length} bytes long, but must be at most ${LIMITS.payloadBytesMax}`;
}

/** What can be stored, for an argument that cannot: the end of a sentence. */
export function storableText(bytesMax: number): string {
  return `a text of at most ${bytesMax} bytes in UTF-8 without lone surrogates`;
}

export function storablePayload(bytesMax: number): string {
  return `${storableText(bytesMax)}, or a Uint8Array of at most as many`;
}

/** How many bytes the payloads of many items have together in UTF-8, where that is more than `bytesMax`. */
export function bytesBeyond<Item>(
  items: readonly Item[],
  payloadOf: (item: Item) => Payload | undefined,
  bytesMax: number,
): number | undefined {
  let units = 0;
  for (const item of items) units += payloadOf(item)?.length ?? 0;
  // As for a single text: most need not be counted.
  if (units * 3 <= bytesMax) return undefined;
  const bytes = payloadBytes(items.map(payloadOf));
  return bytes > bytesMax ? bytes : undefined;
}

/** How many bytes payloads have together in UTF-8. Anything that is no payload counts nothing: it is refused later. */
export function payloadBytes(payloads: readonly (Payload | undefined)[]): number {
  let bytes = 0;
  for (const payload of payloads)
    bytes += typeof payload === 'string' ? Buffer.byteLength(payload) : (payload?.length ?? 0);
  return bytes;
}

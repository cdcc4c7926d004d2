import type { Payload } from '../job.js';

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

/** How many bytes payloads have together in UTF-8. Anything that is no payload counts nothing: it is refused later. */
export function payloadBytes(payloads: readonly (Payload | undefined)[]): number {
  let bytes = 0;
  for (const payload of payloads)
    bytes += typeof payload === 'string' ? Buffer.byteLength(payload) : (payload?.length ?? 0);
  return bytes;
}

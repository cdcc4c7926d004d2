import type { Payload } from '@holdfast/contract';
import { givenText, storedText } from './stored-text.js';

/** A text stands in a text column, where psql shows it; bytes stand in one of bytes. */
export function payloadColumns(payload: Payload): readonly [text: string | null, bytes: Buffer | null] {
  if (typeof payload === 'string') return [storedText(payload), null];
  return [null, Buffer.from(payload)];
}

export function payloadOf(text: string | null, bytes: Buffer | null): Payload {
  if (text !== null) return givenText(text);
  return bytes === null ? '' : Uint8Array.from(bytes);
}

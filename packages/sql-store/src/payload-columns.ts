import type { Payload } from '@holdfast/contract';

/** A text stands in a text column, where whoever looks at the table can read it; bytes stand in one of bytes. */
export function payloadColumns(payload: Payload): readonly [text: string | null, bytes: Uint8Array | null] {
  if (typeof payload === 'string') return [payload, null];
  return [null, Buffer.from(payload)];
}

export function payloadOf(text: string | null, bytes: Uint8Array | null): Payload {
  if (text !== null) return text;
  return bytes === null ? '' : Uint8Array.from(bytes);
}

import type { Payload, PayloadText } from '@holdfast/contract';

/** Of UTF-8, or of bytes before base64. */
export const PAYLOAD_BYTES_SHOWN_MAX = 64 * 1024;

/** A payload as a browser can show it: cut when it is long, never inside a character. */
export function payloadText(payload: Payload): PayloadText {
  const whole = typeof payload === 'string' ? Buffer.from(payload, 'utf8') : Buffer.from(payload);
  const encoding = typeof payload === 'string' ? 'text' : 'base64';
  const truncated = whole.byteLength > PAYLOAD_BYTES_SHOWN_MAX;
  if (!truncated && typeof payload === 'string') return { encoding, text: payload, bytes: whole.byteLength, truncated };
  const shown = whole.subarray(0, truncated ? cutAt(whole, encoding) : whole.byteLength);
  return {
    encoding,
    text: shown.toString(encoding === 'text' ? 'utf8' : 'base64'),
    bytes: whole.byteLength,
    truncated,
  };
}

/** Where to cut: for text at the last character that begins no later than the bound. */
function cutAt(bytes: Buffer, encoding: PayloadText['encoding']): number {
  let end = PAYLOAD_BYTES_SHOWN_MAX;
  if (encoding === 'base64') return end;
  while (end > 0 && (bytes[end]! & 0xc0) === 0x80) end--;
  return end;
}

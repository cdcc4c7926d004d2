import { Buffer } from 'node:buffer';

/** The type `text`. */
const TEXT = 25;
const HEAD_BYTES = 20;
const LENGTH_BYTES = 4;

/**
 * Texts as PostgreSQL sends an array over the wire, all numbers in 32 bits, the highest byte first:
 *
 *   1 dimension | 0: no nulls | type | how many | 1: the first index | then of each text its bytes' count, and its bytes
 *
 * The driver passes it on as it is. Written as a literal, each quote of each payload would be escaped here and searched for there.
 */
export function textArray(texts: readonly string[]): Buffer {
  const bytes = Buffer.allocUnsafe(
    texts.reduce((sum, text) => sum + LENGTH_BYTES + Buffer.byteLength(text), HEAD_BYTES),
  );
  let at = 0;
  for (const value of [1, 0, TEXT, texts.length, 1]) at = bytes.writeInt32BE(value, at);
  for (const text of texts) {
    const written = bytes.write(text, at + LENGTH_BYTES);
    bytes.writeInt32BE(written, at);
    at += LENGTH_BYTES + written;
  }
  return bytes;
}

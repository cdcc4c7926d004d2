import { crc32c as nativeCrc32c } from '@node-rs/crc32';

/**
 * Up to this size the loop below is faster than a native call, which costs about 140 ns before its first byte
 * (Node 20: 128 bytes 124 ns against 168; 168 bytes 153 against 172; 256 bytes 228 against 179).
 */
const LOOP_BYTES_MAX = 176;

/** Slicing by 8: table k says what a byte does to the sum k bytes later. */
const TABLES = makeTables();

function makeTables(): Int32Array {
  const tables = new Int32Array(8 * 256);
  for (let byte = 0; byte < 256; byte++) {
    let sum = byte;
    for (let bit = 0; bit < 8; bit++) sum = sum & 1 ? (sum >>> 1) ^ 0x82f63b78 : sum >>> 1;
    tables[byte] = sum;
  }
  for (let index = 256; index < tables.length; index++) {
    const before = tables[index - 256]!;
    tables[index] = tables[before & 255]! ^ (before >>> 8);
  }
  return tables;
}

/** CRC-32C (Castagnoli) of bytes[start, end). `previous` is the sum of the bytes before, to sum in pieces. */
export function crc32c(bytes: Uint8Array, start = 0, end = bytes.length, previous = 0): number {
  if (end - start <= LOOP_BYTES_MAX) return loopCrc32c(bytes, start, end, previous);
  return nativeCrc32c(bytes.subarray(start, end), previous);
}

function loopCrc32c(bytes: Uint8Array, start: number, end: number, previous: number): number {
  const t = TABLES;
  let sum = ~previous;
  let at = start;
  for (const last = end - 7; at < last; at += 8) {
    sum ^= bytes[at]! | (bytes[at + 1]! << 8) | (bytes[at + 2]! << 16) | (bytes[at + 3]! << 24);
    sum =
      t[1792 | (sum & 255)]! ^
      t[1536 | ((sum >>> 8) & 255)]! ^
      t[1280 | ((sum >>> 16) & 255)]! ^
      t[1024 | (sum >>> 24)]! ^
      t[768 | bytes[at + 4]!]! ^
      t[512 | bytes[at + 5]!]! ^
      t[256 | bytes[at + 6]!]! ^
      t[bytes[at + 7]!]!;
  }
  for (; at < end; at++) sum = t[(sum ^ bytes[at]!) & 255]! ^ (sum >>> 8);
  return ~sum >>> 0;
}

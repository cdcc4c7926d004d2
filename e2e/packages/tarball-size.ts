import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';

const BLOCK = 512;
const SIZE_AT = 124;
const TYPE_AT = 156;

export interface TarballSize {
  /** Of the tarball: what is downloaded. */
  readonly packedBytes: number;
  /** Of its files: what node_modules grows by. */
  readonly unpackedBytes: number;
}

/** A tar is a header of 512 bytes for each file, with its size in octal digits, and its bytes filled up to 512. */
export function tarballSize(file: string): TarballSize {
  const packed = readFileSync(file);
  const tar = gunzipSync(packed);
  let unpackedBytes = 0;
  for (let at = 0; at + BLOCK <= tar.length && tar[at] !== 0; ) {
    const bytes = Number.parseInt(tar.toString('latin1', at + SIZE_AT, at + SIZE_AT + 12), 8);
    if (Number.isNaN(bytes)) throw new Error(`${file} has no size at ${at + SIZE_AT}`);
    const isFile = ['0', '\0'].includes(String.fromCharCode(tar[at + TYPE_AT] ?? 0));
    if (isFile) unpackedBytes += bytes;
    at += BLOCK * (1 + Math.ceil(bytes / BLOCK));
  }
  return { packedBytes: packed.length, unpackedBytes };
}

import { LIMITS } from '../limits.js';
import { crc32c } from './crc32c.js';
import { isExactU64, readU64, writeU64 } from './u64.js';

/*
 *  0        4    5        8             12            16
 *  | 'HFRM' |type|reserved| recordsBytes | recordCount |
 * 16                 24                  32
 *  | salt             | seq               |
 * 32                 40                  48            52         60          64
 *  | durableUpTo      | offset            | recordsCrc | reserved | headerCrc |
 * 64
 *  | records … | zeros up to the next offset divisible by 8
 */
export const FRAME_HEADER_BYTES = 64;
const MAGIC = 0x4d524648; // 'HFRM', little-endian
const HEADER_CRC_AT = 60;

export const FRAME_TYPE = { records: 1, seal: 2, close: 3, idle: 4 } as const;
export type FrameType = (typeof FRAME_TYPE)[keyof typeof FRAME_TYPE];

export interface FrameHeader {
  readonly type: FrameType;
  readonly recordsBytes: number;
  readonly recordCount: number;
  readonly salt: bigint;
  readonly seq: number;
  readonly durableUpTo: number;
  readonly offset: number;
  readonly recordsCrc: number;
}

/** Writes the 64 bytes at `at`. @returns the headerCrc */
export function encodeFrameHeader(bytes: Uint8Array, view: DataView, at: number, header: FrameHeader): number {
  view.setUint32(at, MAGIC, true);
  view.setUint32(at + 4, header.type, true);
  view.setUint32(at + 8, header.recordsBytes, true);
  view.setUint32(at + 12, header.recordCount, true);
  view.setBigUint64(at + 16, header.salt, true);
  writeU64(view, at + 24, header.seq);
  writeU64(view, at + 32, header.durableUpTo);
  writeU64(view, at + 40, header.offset);
  view.setUint32(at + 48, header.recordsCrc, true);
  view.setUint32(at + 52, 0, true);
  view.setUint32(at + 56, 0, true);
  const headerCrc = crc32c(bytes, at, at + HEADER_CRC_AT, 0, view);
  view.setUint32(at + HEADER_CRC_AT, headerCrc, true);
  return headerCrc;
}

/**
 * The header at `at`, or `undefined` where the 64 bytes are none that could have been written. Whether it stands where it
 * belongs (salt, offset, seq) is for the caller to compare.
 */
export function decodeFrameHeader(bytes: Uint8Array, view: DataView, at: number): FrameHeader | undefined {
  if (!startsFrame(view, at)) return undefined;
  if (frameHeaderCrc(view, at) !== crc32c(bytes, at, at + HEADER_CRC_AT, 0, view)) return undefined;
  const type = frameType(view.getUint8(at + 4));
  if (type === undefined || ![24, 32, 40].every((field) => isExactU64(view, at + field))) return undefined;
  const header: FrameHeader = {
    type,
    recordsBytes: view.getUint32(at + 8, true),
    recordCount: view.getUint32(at + 12, true),
    salt: view.getBigUint64(at + 16, true),
    seq: readU64(view, at + 24),
    durableUpTo: readU64(view, at + 32),
    offset: readU64(view, at + 40),
    recordsCrc: view.getUint32(at + 48, true),
  };
  return isPossible(header) ? header : undefined;
}

export function startsFrame(view: DataView, at: number): boolean {
  return view.getUint32(at, true) === MAGIC;
}

/** The stored headerCrc. */
export function frameHeaderCrc(view: DataView, at: number): number {
  return view.getUint32(at + HEADER_CRC_AT, true);
}

/** Header, records and padding. */
export function frameBytes(recordsBytes: number): number {
  return FRAME_HEADER_BYTES + Math.ceil(recordsBytes / 8) * 8;
}

function frameType(byte: number): FrameType | undefined {
  return byte === 1 || byte === 2 || byte === 3 || byte === 4 ? byte : undefined;
}

function isPossible(header: FrameHeader): boolean {
  if (header.durableUpTo >= header.seq) return false;
  if (header.type === FRAME_TYPE.records) {
    return header.recordCount > 0 && frameBytes(header.recordsBytes) <= LIMITS.frameBytesMax;
  }
  return header.recordsBytes === 0 && header.recordCount === 0 && header.recordsCrc === 0;
}

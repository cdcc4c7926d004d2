import { LogCorruptError, LogVersionError } from '@holdfast/contract';
import { crc32c } from './crc32c.js';
import { isExactU64, readU64, writeU64 } from './u64.js';

/*
 *   0            8               10            12                   16                 20
 *   | 'HOLDFAST' | formatVersion | headerBytes | compatibleFeatures | readOnlyFeatures | incompatibleFeatures |
 *  24         40              48     56      64         72        80           88           96
 *   | storeId | segmentNumber | salt | epoch | firstSeq | idFloor | tokenFloor | minSegment | createdAtMs |
 * 104               112           120               128           132         140        252
 *   | previousSegment | previousEnd | previousLastSeq | previousCrc | rankFloor | reserved | headerCrc |
 */
export const SEGMENT_HEADER_BYTES = 256;
/** The version of the format on disk that this package writes. */
export const LOG_FORMAT_VERSION = 1;
const MAGIC = new TextEncoder().encode('HOLDFAST');
const HEADER_CRC_AT = 252;
const NUMBERS_AT = [40, 56, 64, 72, 80, 88, 96, 104, 112, 120, 132];

export interface SegmentHeader {
  readonly compatibleFeatures: number;
  readonly readOnlyFeatures: number;
  readonly incompatibleFeatures: number;
  readonly storeId: Uint8Array;
  readonly segmentNumber: number;
  readonly salt: bigint;
  readonly epoch: number;
  readonly firstSeq: number;
  readonly idFloor: number;
  readonly tokenFloor: number;
  readonly minSegment: number;
  readonly createdAtMs: number;
  readonly previousSegment: number;
  readonly previousEnd: number;
  readonly previousLastSeq: number;
  readonly previousCrc: number;
  /** Of the log's owner: see LogReplay. */
  readonly rankFloor: number;
}

export function encodeSegmentHeader(header: SegmentHeader): Uint8Array {
  const bytes = new Uint8Array(SEGMENT_HEADER_BYTES);
  const view = new DataView(bytes.buffer);
  bytes.set(MAGIC, 0);
  view.setUint16(8, LOG_FORMAT_VERSION, true);
  view.setUint16(10, SEGMENT_HEADER_BYTES, true);
  view.setUint32(12, header.compatibleFeatures, true);
  view.setUint32(16, header.readOnlyFeatures, true);
  view.setUint32(20, header.incompatibleFeatures, true);
  bytes.set(header.storeId, 24);
  view.setBigUint64(48, header.salt, true);
  const { segmentNumber, epoch, firstSeq, idFloor, tokenFloor, minSegment, createdAtMs } = header;
  const { previousSegment, previousEnd, previousLastSeq, rankFloor } = header;
  const numbers = [segmentNumber, epoch, firstSeq, idFloor, tokenFloor, minSegment, createdAtMs];
  numbers.push(previousSegment, previousEnd, previousLastSeq, rankFloor);
  numbers.forEach((value, index) => {
    writeU64(view, NUMBERS_AT[index]!, value);
  });
  view.setUint32(128, header.previousCrc, true);
  view.setUint32(HEADER_CRC_AT, crc32c(bytes, 0, HEADER_CRC_AT), true);
  return bytes;
}

/**
 * @param file for the messages of errors
 * @throws LogCorruptError when the bytes are damaged, LogVersionError when they are whole and written by a newer Holdfast
 */
export function decodeSegmentHeader(bytes: Uint8Array, file: string): SegmentHeader {
  if (bytes.length < SEGMENT_HEADER_BYTES) throw new LogCorruptError(file, bytes.length, 'its header is cut off');
  const view = new DataView(bytes.buffer, bytes.byteOffset, SEGMENT_HEADER_BYTES);
  if (view.getUint32(HEADER_CRC_AT, true) !== crc32c(bytes, 0, HEADER_CRC_AT)) {
    throw new LogCorruptError(file, 0, 'its header does not match its checksum');
  }
  refuseUnknownFormat(bytes, view, file);
  if (!NUMBERS_AT.every((at) => isExactU64(view, at))) throw new LogCorruptError(file, 0, 'its header is impossible');
  return {
    compatibleFeatures: view.getUint32(12, true),
    readOnlyFeatures: view.getUint32(16, true),
    incompatibleFeatures: view.getUint32(20, true),
    storeId: bytes.slice(24, 40),
    segmentNumber: readU64(view, 40),
    salt: view.getBigUint64(48, true),
    epoch: readU64(view, 56),
    firstSeq: readU64(view, 64),
    idFloor: readU64(view, 72),
    tokenFloor: readU64(view, 80),
    minSegment: readU64(view, 88),
    createdAtMs: readU64(view, 96),
    previousSegment: readU64(view, 104),
    previousEnd: readU64(view, 112),
    previousLastSeq: readU64(view, 120),
    previousCrc: view.getUint32(128, true),
    rankFloor: readU64(view, 132),
  };
}

/** @throws LogVersionError: the file may be read, but whoever does not know these features must not write to its log. */
export function refuseWriting(header: SegmentHeader, file: string): void {
  if (header.readOnlyFeatures !== 0) {
    throw new LogVersionError(file, 'a newer Holdfast wrote it in a way that this version must not add to');
  }
}

function refuseUnknownFormat(bytes: Uint8Array, view: DataView, file: string): void {
  if (!MAGIC.every((letter, index) => bytes[index] === letter)) {
    throw new LogVersionError(file, 'it is not a segment of a Holdfast log');
  }
  const version = view.getUint16(8, true);
  if (version !== LOG_FORMAT_VERSION || view.getUint16(10, true) !== SEGMENT_HEADER_BYTES) {
    throw new LogVersionError(file, `it has format version ${version}, and this Holdfast reads ${LOG_FORMAT_VERSION}`);
  }
  const features = view.getUint32(20, true);
  if (features !== 0) {
    throw new LogVersionError(file, `it needs features that this Holdfast lacks (bits ${features.toString(16)})`);
  }
}

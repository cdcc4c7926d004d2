import { join } from 'node:path';
import type { Random } from '@holdfast/contract';
import type { FileSystem } from './file-system.js';
import { encodeFrameHeader, FRAME_HEADER_BYTES, FRAME_TYPE, type FrameHeader } from './frame-codec.js';
import type { LogExamination } from './log-examination.js';
import type { TornTail } from './log-record.js';
import { keepCutBytes } from './quarantine.js';
import type { ReadSegment } from './segment-chain.js';
import type { SegmentHeader } from './segment-header.js';
import { rewriteSegment } from './segment-rewrite.js';
import { createSegment, type SegmentWriter, writeFully } from './segment-writer.js';

export interface RecoveryOptions {
  readonly fileSystem: FileSystem;
  readonly directory: string;
  readonly random: Random;
  readonly nowMs: number;
  readonly epoch: number;
  readonly storeId: Uint8Array;
  readonly idFloor: number;
  readonly rankFloor: number;
  readonly segmentBytes: number;
}

/** A segment that gets no more frames. */
export interface SealedSegment {
  readonly segmentNumber: number;
  readonly file: string;
  readonly bytes: number;
  readonly firstSeq: number;
  readonly lastSeq: number;
}

export interface Recovered {
  readonly sealed: readonly SealedSegment[];
  readonly active: SegmentWriter;
  readonly tornTail: TornTail | undefined;
}

/** A SEAL that is decided on before it is written, because the next segment's header names it. */
export interface PlannedSeal {
  readonly bytes: Uint8Array;
  readonly offset: number;
  readonly seq: number;
  readonly crc: number;
}

/**
 * Does what the verdict of `examineLog` allows: starts a new segment and seals the tail. A crash at any step leaves a directory that
 * is judged again with the same records, because
 *  1. the new segment has no frame until all else is done, so that the tail stays the tail, and
 *  2. the tail is replaced in one step by a copy that is durable, or, after a CLOSE, only added to, and
 *  3. retired segments go last: the header that retires them may have been seen in memory only, until the new one is durable.
 */
export function recover(examination: LogExamination, options: RecoveryOptions): Recovered {
  const { fileSystem, directory } = options;
  for (const name of examination.temporary) removeLeftover(fileSystem, join(directory, name));
  const tail = examination.segments.at(-1);
  const salt = tail === undefined || examination.clean ? tail?.header.salt : randomSalt(options.random);
  const seal = tail === undefined || salt === undefined ? undefined : planTailSeal(tail, salt, examination.clean);
  const active = createSegment(fileSystem, directory, newHeader(examination, options, seal), options.segmentBytes);
  try {
    const tornTail = tail === undefined ? undefined : keepCutBytes(tail, options);
    if (tail !== undefined && seal !== undefined && salt !== undefined) {
      if (examination.clean) appendSeal(tail, seal, fileSystem);
      else rewriteSegment(tail, { fileSystem, directory, salt, seal });
    }
    for (const { file } of examination.retired) fileSystem.remove(file);
    return { sealed: describeSealed(examination, seal), active, tornTail };
  } catch (error) {
    active.file.close();
    throw error;
  }
}

/** A segment that the former owner began to remove in the background may go in the moment when it is seen here. */
function removeLeftover(fileSystem: FileSystem, path: string): void {
  try {
    fileSystem.remove(path);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error;
  }
}

export function planSeal(header: Pick<FrameHeader, 'salt' | 'seq' | 'durableUpTo' | 'offset'>): PlannedSeal {
  const bytes = new Uint8Array(FRAME_HEADER_BYTES);
  const whole = { ...header, type: FRAME_TYPE.seal, recordsBytes: 0, recordCount: 0, recordsCrc: 0 };
  const crc = encodeFrameHeader(bytes, new DataView(bytes.buffer), 0, whole);
  return { bytes, offset: header.offset, seq: header.seq, crc };
}

export function randomSalt(random: Random): bigint {
  const bytes = random.bytes(8);
  return new DataView(bytes.buffer, bytes.byteOffset).getBigUint64(0, true);
}

function planTailSeal(tail: ReadSegment, salt: bigint, clean: boolean): PlannedSeal {
  const hasSeal = tail.last?.type === FRAME_TYPE.seal;
  const seq = hasSeal ? tail.lastSeq : tail.lastSeq + 1;
  const offset = hasSeal ? tail.end - FRAME_HEADER_BYTES : tail.end;
  // A copy is seen only when all of it is durable. An appended SEAL is written together with the CLOSE before it.
  return planSeal({ salt, seq, offset, durableUpTo: clean ? seq - 2 : seq - 1 });
}

/**
 * Writes the CLOSE again, with the SEAL: if the sync after the CLOSE failed, it may be in the page cache only, and a page counts as
 * clean there until it is written to. The cut before it is made again for the same reason.
 */
function appendSeal(tail: ReadSegment, seal: PlannedSeal, fileSystem: FileSystem): void {
  const file = fileSystem.open(tail.file, 'write');
  try {
    const both = new Uint8Array(2 * FRAME_HEADER_BYTES);
    encodeFrameHeader(both, new DataView(both.buffer), 0, tail.last!);
    both.set(seal.bytes, FRAME_HEADER_BYTES);
    writeFully(file, both, seal.offset - FRAME_HEADER_BYTES);
    file.truncate(seal.offset + FRAME_HEADER_BYTES);
    file.syncData();
  } finally {
    file.close();
  }
}

function newHeader(found: LogExamination, options: RecoveryOptions, seal: PlannedSeal | undefined): SegmentHeader {
  const tail = found.segments.at(-1);
  const { unused } = found;
  // Without a segment before it, an unused one has the facts about those that were retired.
  const before = unused?.header;
  const { epoch, storeId, idFloor, rankFloor, nowMs } = options;
  return {
    compatibleFeatures: 0,
    readOnlyFeatures: 0,
    incompatibleFeatures: 0,
    storeId,
    segmentNumber: before?.segmentNumber ?? (tail?.header.segmentNumber ?? 0) + 1,
    salt: randomSalt(options.random),
    epoch,
    firstSeq: seal === undefined ? (before?.firstSeq ?? 1) : seal.seq + 1,
    idFloor,
    tokenFloor: epoch * 2 ** 32,
    minSegment: Math.max(1, before?.minSegment ?? 1, tail?.header.minSegment ?? 1),
    createdAtMs: nowMs,
    previousSegment: tail?.header.segmentNumber ?? before?.previousSegment ?? 0,
    previousEnd: seal === undefined ? (before?.previousEnd ?? 0) : seal.offset + FRAME_HEADER_BYTES,
    previousLastSeq: seal?.seq ?? before?.previousLastSeq ?? 0,
    previousCrc: seal?.crc ?? before?.previousCrc ?? 0,
    rankFloor,
  };
}

function describeSealed(found: LogExamination, seal: PlannedSeal | undefined): SealedSegment[] {
  return found.segments.map((segment, index) => {
    const isTail = seal !== undefined && index === found.segments.length - 1;
    return {
      segmentNumber: segment.header.segmentNumber,
      file: segment.file,
      bytes: isTail ? seal.offset + FRAME_HEADER_BYTES : segment.end,
      firstSeq: segment.header.firstSeq,
      lastSeq: isTail ? seal.seq : segment.lastSeq,
    };
  });
}

import { join } from 'node:path';
import type { Random } from '@holdfast/contract';
import type { FileSystem } from './file-system.js';
import type { FrameHeader } from './frame-codec.js';
import { planSeal, randomSalt, type SealedSegment } from './recovery.js';
import { segmentName } from './segment-name.js';
import { createSegment, type SegmentWriter } from './segment-writer.js';

export interface RotationOptions {
  readonly fileSystem: FileSystem;
  readonly directory: string;
  readonly random: Random;
  readonly nowMs: number;
  /** Where the SEAL of the old segment goes. */
  readonly place: Pick<FrameHeader, 'salt' | 'seq' | 'durableUpTo' | 'offset'>;
  /** What the new header says: see docs/log-format.md. */
  readonly idFloor: number;
  readonly rankFloor: number;
  readonly minSegment: number;
  readonly segmentBytes: number;
}

export interface Rotation {
  readonly active: SegmentWriter;
  readonly sealed: SealedSegment;
}

/**
 * Starts the next segment and seals the old one, whose file is closed then. The order matters: see docs/log-format.md, "Next
 * segment". Both are durable when it returns.
 */
export function startNextSegment(old: SegmentWriter, options: RotationOptions): Rotation {
  const { fileSystem, directory, random, nowMs, place, idFloor, rankFloor, minSegment, segmentBytes } = options;
  const seal = planSeal(place);
  const { segmentNumber, firstSeq, epoch } = old.header;
  const header = {
    ...old.header,
    segmentNumber: segmentNumber + 1,
    salt: randomSalt(random),
    firstSeq: seal.seq + 1,
    idFloor,
    // Tokens of this epoch were given out: only those of the next are surely above.
    tokenFloor: (epoch + 1) * 2 ** 32,
    minSegment,
    createdAtMs: nowMs,
    previousSegment: segmentNumber,
    previousEnd: seal.offset + seal.bytes.length,
    previousLastSeq: seal.seq,
    previousCrc: seal.crc,
    rankFloor,
  };
  const active = createSegment(fileSystem, directory, header, segmentBytes);
  try {
    old.appendLast(seal.bytes);
    old.file.syncData();
  } catch (error) {
    active.file.close();
    throw error;
  }
  old.file.close();
  const file = join(directory, segmentName(segmentNumber));
  return { active, sealed: { segmentNumber, file, bytes: old.end, firstSeq, lastSeq: seal.seq } };
}

import { join } from 'node:path';
import { LogCorruptError, StoreOpenError } from '@holdfast/contract';
import type { FileSystem, LogFile } from './file-system.js';
import { FRAME_HEADER_BYTES, FRAME_TYPE, type FrameHeader } from './frame-codec.js';
import { FrameReader, findEvidence } from './frame-reader.js';
import type { LogRecord } from './log-record.js';
import { ReadWindow, readUpTo } from './read-window.js';
import { RecordCursor, walkRecords } from './record-codec.js';
import { checkNeighbours, checkPrevious, type FoundSegment, type ReadSegment } from './segment-chain.js';
import { decodeSegmentHeader, SEGMENT_HEADER_BYTES, type SegmentHeader } from './segment-header.js';
import { makeLocation, parseSegmentName, segmentName, TEMPORARY_SUFFIX } from './segment-name.js';

/** Called while a log is read, in order. What is passed is valid only during the call. */
export interface LogVisitor {
  segment?(file: string, header: SegmentHeader): void;
  frame?(file: string, header: FrameHeader): void;
  record?(record: LogRecord): void;
}

/** What is in a directory, and what may be done about it. Nothing has been written. */
export interface LogExamination {
  /** The live segments that hold anything, in order. The last one is the tail. */
  readonly segments: readonly ReadSegment[];
  /** A last segment without a frame: it was being started when its process ended. */
  readonly unused: FoundSegment | undefined;
  /** Segments that compaction left behind. */
  readonly retired: readonly FoundSegment[];
  /** Names of files that were being made. */
  readonly temporary: readonly string[];
  /** The tail ends with a CLOSE at its end, and nothing is after it. */
  readonly clean: boolean;
  readonly bytesRead: number;
  readonly records: number;
}

/**
 * Reads a whole log and judges it (docs/log-format.md, "Opening"). Writes nothing and takes no lock, so a tool may use it on a
 * directory that is in use: the end of its last segment may look torn then.
 * @throws LogCorruptError, LogVersionError, StoreOpenError, and what the visitor throws
 */
export function examineLog(fileSystem: FileSystem, directory: string, visitor: LogVisitor): LogExamination {
  return new Examiner(fileSystem, directory, visitor).run();
}

class Examiner {
  readonly #fileSystem: FileSystem;
  readonly #directory: string;
  readonly #visitor: LogVisitor;
  readonly #window = new ReadWindow();
  readonly #cursor = new RecordCursor();
  #records = 0;

  constructor(fileSystem: FileSystem, directory: string, visitor: LogVisitor) {
    this.#fileSystem = fileSystem;
    this.#directory = directory;
    this.#visitor = visitor;
  }

  run(): LogExamination {
    const entries = this.#fileSystem.list(this.#directory);
    const { live, retired } = this.#findSegments(entries.filter(({ name }) => parseSegmentName(name) !== undefined));
    checkNeighbours(live, this.#directory);
    const last = live.at(-1);
    const unused = last?.size === SEGMENT_HEADER_BYTES ? last : undefined;
    const used = unused === undefined ? live : live.slice(0, -1);
    const segments: ReadSegment[] = [];
    for (const found of used) {
      const before = segments.at(-1);
      if (before !== undefined) checkPrevious(found, before);
      segments.push(this.#read(found, found === used.at(-1), unused !== undefined));
    }
    const temporary = entries.filter(({ name, isFile }) => isFile && name.endsWith(TEMPORARY_SUFFIX));
    return {
      segments,
      unused,
      retired,
      temporary: temporary.map(({ name }) => name),
      clean: isClean(segments.at(-1)),
      bytesRead: this.#window.bytesRead,
      records: this.#records,
    };
  }

  /** From the last to the first, because the last one says which are retired. */
  #findSegments(entries: readonly { readonly name: string; readonly isFile: boolean }[]) {
    const live: FoundSegment[] = [];
    const retired: FoundSegment[] = [];
    let minSegment = 0;
    for (const entry of entries.toSorted((a, b) => (a.name < b.name ? 1 : -1))) {
      const found = this.#readHeader(entry);
      const isLive = found.header.segmentNumber >= minSegment;
      (isLive ? live : retired).unshift(found);
      minSegment = Math.max(minSegment, found.header.minSegment);
    }
    return { live, retired };
  }

  #readHeader(entry: { readonly name: string; readonly isFile: boolean }): FoundSegment {
    const file = join(this.#directory, entry.name);
    if (!entry.isFile)
      throw new StoreOpenError(file, 'a segment must be a regular file. Move it away if it is not yours.');
    return this.#withFile(file, (opened) => {
      const size = opened.size();
      const header = decodeSegmentHeader(readUpTo(opened, 0, SEGMENT_HEADER_BYTES), file);
      if (segmentName(header.segmentNumber) !== entry.name) {
        throw new LogCorruptError(file, 40, `its header says that it is segment ${header.segmentNumber}`);
      }
      return { name: entry.name, file, header, size };
    });
  }

  #read(found: FoundSegment, isTail: boolean, hasUnusedSuccessor: boolean): ReadSegment {
    this.#visitor.segment?.(found.file, found.header);
    return this.#withFile(found.file, (opened) => {
      const dataEnd = isTail ? opened.dataEnd() : undefined;
      const reader = new FrameReader(opened, this.#window, { ...found.header, dataEnd });
      this.#visitFrames(found, reader);
      if (isTail) this.#judgeTail(found, reader, hasUnusedSuccessor);
      else judgeSealed(found, reader);
      const { position: end, last, lastCrc, size } = reader;
      return {
        ...found,
        size,
        dataEnd: Math.max(end, reader.dataEnd),
        end,
        last,
        lastSeq: reader.nextSeq - 1,
        lastCrc,
      };
    });
  }

  #visitFrames(found: FoundSegment, reader: FrameReader): void {
    const visit = (record: LogRecord) => this.#visitor.record?.(record);
    for (let frame = reader.next(); frame !== undefined; frame = reader.next()) {
      const { header, at } = frame;
      this.#visitor.frame?.(found.file, header);
      if (header.type !== FRAME_TYPE.records) continue;
      this.#cursor.buffer = this.#window.buffer;
      this.#cursor.view = this.#window.view;
      const start = at + FRAME_HEADER_BYTES;
      const location = makeLocation(found.header.segmentNumber, header.offset + FRAME_HEADER_BYTES);
      const range = { start, end: start + header.recordsBytes, count: header.recordCount, location };
      const wrong = walkRecords(this.#cursor, range, visit);
      if (wrong !== undefined) throw new LogCorruptError(found.file, header.offset + wrong.at - at, wrong.problem);
      this.#records += header.recordCount;
    }
  }

  /** Torn tail or damage? Returns if it may be cut after the last valid frame. */
  #judgeTail(found: FoundSegment, reader: FrameReader, hasUnusedSuccessor: boolean): void {
    const { position, dataEnd, nextSeq } = reader;
    const lastType = reader.last?.type;
    if (lastType === FRAME_TYPE.seal) {
      // The SEAL is written after the next segment is durable, and nothing after the SEAL.
      if (!hasUnusedSuccessor) {
        const next = segmentName(found.header.segmentNumber + 1);
        throw new LogCorruptError(found.file, position, `the segment after it, ${next}, is missing`);
      }
      if (position < dataEnd) throw new LogCorruptError(found.file, position, 'bytes follow the end of the segment');
    }
    if (position >= dataEnd) return;
    if (lastType === FRAME_TYPE.close && !hasUnusedSuccessor) {
      throw new LogCorruptError(found.file, position, 'bytes follow the end of the log');
    }
    const tail = { salt: found.header.salt, position, dataEnd, seq: nextSeq };
    const proof = findEvidence(this.#window, tail);
    if (proof === undefined) return;
    const problem = `${reader.problem}, but the frame at byte ${proof} proves that the commit here had been durable`;
    throw new LogCorruptError(found.file, position, problem);
  }

  #withFile<Result>(file: string, use: (opened: LogFile) => Result): Result {
    const opened = this.#fileSystem.open(file, 'read');
    try {
      return use(opened);
    } finally {
      opened.close();
    }
  }
}

/** A segment that has a successor with frames is whole: every byte of it had been durable before. */
function judgeSealed(found: FoundSegment, reader: FrameReader): void {
  if (reader.problem !== undefined) throw new LogCorruptError(found.file, reader.position, reader.problem);
  if (reader.last?.type !== FRAME_TYPE.seal) {
    throw new LogCorruptError(found.file, reader.position, 'its last frame is missing');
  }
}

/**
 * A CLOSE proves all before it, because it is written after that was synced. Its own sync may have failed: recovery writes it again.
 */
function isClean(tail: ReadSegment | undefined): boolean {
  return tail?.last?.type === FRAME_TYPE.close && tail.end === tail.size && tail.last.durableUpTo === tail.lastSeq - 1;
}

import { join } from 'node:path';
import { type RecoveryReport, type SegmentReport, StoreOpenError } from '@holdfast/contract';
import type { FileSystem } from './file-system.js';
import { examineLog, type LogExamination } from './log-examination.js';
import type { LogRecord, LogReplay, RecordSource } from './log-record.js';
import { ReadAhead } from './read-ahead.js';
import { RecordReader, readRecord } from './record-reader.js';
import type { SegmentHeader } from './segment-header.js';
import { locationOffset, locationSegment, makeLocation, segmentName } from './segment-name.js';

export interface FrozenLogOptions {
  readonly directory: string;
  /** Whose files do not change any more: a LogSnapshot. */
  readonly fileSystem: FileSystem;
  monotonicMs(): number;
}

/** A log as it was at one moment, whoever owns it. Takes no lock and writes nothing. */
export class FrozenLog implements RecordSource {
  /**
   * Reads all of it. A frame at the end that is not whole is left out: its owner is still writing it.
   * @throws LogCorruptError, LogVersionError, StoreOpenError
   */
  static read(options: FrozenLogOptions, replay: LogReplay): FrozenLog {
    const startedMs = options.monotonicMs();
    const found = examineLog(options.fileSystem, options.directory, {
      record: (record) => replay.record(record),
      segment: (_, header) => replay.segment?.(header),
    });
    const last = (found.unused ?? found.segments.at(-1))?.header;
    if (last === undefined) throw new StoreOpenError(options.directory, 'it holds no log.');
    return new FrozenLog(options, found, last, options.monotonicMs() - startedMs);
  }

  readonly storeId: Uint8Array;
  /** The next id is at least this. */
  readonly idFloor: number;
  /** Where the next record would have come. */
  readonly nextLocation: number;
  readonly #options: FrozenLogOptions;
  readonly #found: LogExamination;
  readonly #epoch: number;
  readonly #tookMs: number;
  readonly #reader: RecordReader;
  readonly #ahead = new ReadAhead();

  private constructor(options: FrozenLogOptions, found: LogExamination, last: SegmentHeader, tookMs: number) {
    this.#options = options;
    this.#found = found;
    this.#reader = new RecordReader(options.fileSystem);
    this.storeId = last.storeId.slice();
    this.idFloor = last.idFloor;
    this.#epoch = last.epoch;
    this.#tookMs = tookMs;
    this.nextLocation = makeLocation(last.segmentNumber, found.unused?.size ?? found.segments.at(-1)?.end ?? 0);
  }

  /** @throws LogCorruptError */
  readRecord(location: number, recordBytes?: number): LogRecord {
    const path = join(this.#options.directory, segmentName(locationSegment(location)));
    const place = { path, offset: locationOffset(location), location };
    return readRecord(this.#reader.file(path), place, recordBytes, this.#ahead);
  }

  segments(): readonly SegmentReport[] {
    const { segments, unused } = this.#found;
    const used = segments.map(({ file, header, end, lastSeq }) => ({ file, header, bytes: end, lastSeq }));
    const all =
      unused === undefined
        ? used
        : [
            ...used,
            { file: unused.file, header: unused.header, bytes: unused.size, lastSeq: unused.header.firstSeq - 1 },
          ];
    return all.map(({ file, header, bytes, lastSeq }, index) => ({
      number: header.segmentNumber,
      file,
      bytes,
      firstSeq: String(header.firstSeq),
      lastSeq: String(lastSeq),
      state: index === all.length - 1 ? 'active' : 'sealed',
    }));
  }

  /** The last commit of which the log itself says that it is on stable storage. */
  get durableSeq(): number {
    return this.#found.segments.at(-1)?.last?.durableUpTo ?? 0;
  }

  /** Of this reading: what its owner found as it opened the log only the owner knows. */
  reading(atMs: number): RecoveryReport {
    const { segments, unused, bytesRead, records } = this.#found;
    return {
      kind: 'read',
      atMs,
      tookMs: this.#tookMs,
      segments: segments.length + (unused === undefined ? 0 : 1),
      bytesRead,
      recordsReplayed: records,
      leasesEnded: { retried: 0, dead: 0 },
      epoch: this.#epoch,
    };
  }
}

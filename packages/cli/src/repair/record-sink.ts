import { type LogRecord, makeLocation, RECORD_HEADER_BYTES, RecordCursor, type SegmentedLog } from '@holdfast/core/log';

/** A frame is written at the latest when it has come to this, however large the one was that it comes from. */
const FRAME_BYTES = 16 * 1024 * 1024;
/** Bytes between two syncs. Only between them a next segment is started. */
const SYNC_BYTES = 8 * 1024 * 1024;

/** Where the records of a repaired log go. */
export interface RecordSink {
  /** Makes room for a record; whoever asks fills it before the next call. */
  reserve(kind: number, bodyBytes: number, flags: number): LogRecord;
  /** What was reserved since the last call stays together. */
  endFrame(): void;
  /** Every record reserved from now on has at least this location. */
  readonly location: number;
}

export class LogSink implements RecordSink {
  readonly #log: SegmentedLog;
  readonly #nextId: number;
  #unsynced = 0;
  #location = 0;

  constructor(log: SegmentedLog, nextId: number) {
    this.#log = log;
    this.#nextId = nextId;
  }

  get location(): number {
    return this.#location;
  }

  reserve(kind: number, bodyBytes: number, flags: number): LogRecord {
    if (this.#log.pendingBytes >= FRAME_BYTES) this.endFrame();
    const record = this.#log.reserve(kind, bodyBytes, flags);
    this.#location = record.location + record.recordBytes;
    return record;
  }

  endFrame(): void {
    this.#unsynced += this.#log.pendingBytes;
    this.#log.write(this.#nextId);
    if (this.#unsynced < SYNC_BYTES) return;
    this.#log.syncNow();
    this.#unsynced = 0;
  }
}

/** Takes records and keeps none: for finding out what would be lost. */
export class EmptySink implements RecordSink {
  readonly #cursor = new RecordCursor();
  #location = makeLocation(1, 0);

  get location(): number {
    return this.#location;
  }

  reserve(kind: number, bodyBytes: number, flags: number): LogRecord {
    const cursor = this.#cursor;
    const bytes = RECORD_HEADER_BYTES + bodyBytes;
    if (cursor.buffer.length < bytes) {
      cursor.buffer = new Uint8Array(bytes * 2);
      cursor.view = new DataView(cursor.buffer.buffer);
    }
    cursor.view.setUint32(0, bodyBytes, true);
    cursor.view.setUint8(8, kind);
    cursor.view.setUint8(9, flags);
    cursor.point(0, this.#location);
    this.#location += bytes;
    return cursor;
  }

  endFrame(): void {}
}

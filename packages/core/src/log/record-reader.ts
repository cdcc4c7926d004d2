import { LogCorruptError } from '@holdfast/contract';
import { LIMITS } from '../limits.js';
import type { FileSystem, LogFile } from './file-system.js';
import type { LogRecord } from './log-record.js';
import type { ReadAhead } from './read-ahead.js';
import { readUpTo } from './read-window.js';
import { RECORD_HEADER_BYTES, RecordCursor, recordMatches } from './record-codec.js';

/** Descriptors kept open for reading. */
const OPEN_FILES_MAX = 32;
/** Read at once when the length is not known: enough for most records. */
const GUESS_BYTES = 1024;

/** Reads single records of sealed segments. Keeps the files it used last open. */
export class RecordReader {
  readonly #fileSystem: FileSystem;
  readonly #files = new Map<string, LogFile>();
  #last: LogFile | undefined;

  constructor(fileSystem: FileSystem) {
    this.#fileSystem = fileSystem;
  }

  file(path: string): LogFile {
    const known = this.#files.get(path);
    if (known !== undefined) {
      if (known !== this.#last) this.#use(path, known);
      return known;
    }
    this.#closeOldest();
    const file = this.#fileSystem.open(path, 'read');
    this.#use(path, file);
    return file;
  }

  /** The file is about to be removed: an open descriptor would keep its bytes on the disk. */
  forget(path: string): void {
    this.#files.get(path)?.close();
    this.#files.delete(path);
  }

  close(): void {
    for (const file of this.#files.values()) file.close();
    this.#files.clear();
  }

  /** Last in a map is last used. */
  #use(path: string, file: LogFile): void {
    this.#files.delete(path);
    this.#files.set(path, file);
    this.#last = file;
  }

  #closeOldest(): void {
    if (this.#files.size < OPEN_FILES_MAX) return;
    for (const [path, file] of this.#files) {
      this.#files.delete(path);
      file.close();
      return;
    }
  }
}

/** Where a record lies in a file. */
export interface RecordPlace {
  readonly path: string;
  readonly offset: number;
  readonly location: number;
  /** Where the bytes of the file end that do not change any more; left out of a file of which none do. */
  readonly writtenEnd?: number;
}

/**
 * A record whose bytes stay, checked.
 * @param recordBytes its length where that is known; another one is damage then
 * @throws LogCorruptError
 */
export function readRecord(
  file: LogFile,
  place: RecordPlace,
  recordBytes: number | undefined,
  ahead: ReadAhead,
): LogRecord {
  if (recordBytes !== undefined) {
    return checkedRecord(ahead.read(file, place.offset, recordBytes, place.writtenEnd), recordBytes, place);
  }
  const first = readUpTo(file, place.offset, GUESS_BYTES);
  if (first.length < RECORD_HEADER_BYTES) return checkedRecord(first, undefined, place);
  const found = RECORD_HEADER_BYTES + new DataView(first.buffer).getUint32(0, true);
  // A damaged length must not make anything large.
  if (found <= first.length || found > LIMITS.frameBytesMax) return checkedRecord(first, undefined, place);
  return checkedRecord(readUpTo(file, place.offset, found), undefined, place);
}

let lastWhole = { bytes: new Uint8Array(0), view: new DataView(new ArrayBuffer(0)) };

/** Many records are read from one piece of a file, so its views are remembered: to make them for each record costs more than its checksum. */
function wholeOf(buffer: ArrayBuffer): {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly view: DataView<ArrayBuffer>;
} {
  if (buffer !== lastWhole.bytes.buffer) lastWhole = { bytes: new Uint8Array(buffer), view: new DataView(buffer) };
  return lastWhole;
}

/** The record at the beginning of `buffer`, checked. @throws LogCorruptError */
export function checkedRecord(
  buffer: Uint8Array<ArrayBuffer>,
  recordBytes: number | undefined,
  place: RecordPlace,
): LogRecord {
  if (buffer.length < RECORD_HEADER_BYTES) throw new LogCorruptError(place.path, place.offset, 'a record is cut off');
  const cursor = new RecordCursor();
  const at = buffer.byteOffset;
  const { bytes, view } = wholeOf(buffer.buffer);
  cursor.buffer = bytes;
  cursor.view = view;
  cursor.point(at, place.location);
  if (cursor.recordBytes !== (recordBytes ?? cursor.recordBytes)) {
    throw new LogCorruptError(place.path, place.offset, 'a record has another length than it had');
  }
  if (cursor.recordBytes > buffer.length || !recordMatches(bytes, view, at, cursor.recordBytes)) {
    throw new LogCorruptError(place.path, place.offset, 'a record does not match its checksum');
  }
  return cursor;
}

import { join } from 'node:path';
import { StoreOpenError } from '@holdfast/contract';
import type { DirectoryEntry, FileSystem, LogFile } from './file-system.js';
import { parseSegmentName } from './segment-name.js';

/** Taking one takes a moment, in which a running store may start or remove a segment; then it is taken anew. */
const TRIES_MAX = 100;

/**
 * The segments of a directory as they were at one moment, also while a store is writing to them: all files are opened at once and
 * their ends kept. What a store appends later is not seen, and what it removes can still be read. It is a FileSystem that refuses to
 * write, so whoever reads through it cannot change anything.
 *
 * A segment gets its last frame only when its successor is there to be listed. So the last one is looked at first, and a
 * second listing that equals the first one shows that all of them belong together.
 */
export class LogSnapshot implements FileSystem {
  readonly directory: string;
  readonly #entries: readonly DirectoryEntry[];
  readonly #files: ReadonlyMap<string, SnapshotFile>;

  private constructor(directory: string, entries: readonly DirectoryEntry[], files: ReadonlyMap<string, SnapshotFile>) {
    this.directory = directory;
    this.#entries = entries;
    this.#files = files;
  }

  /** @throws the error of the operating system: the directory or a file cannot be read */
  static take(fileSystem: Pick<FileSystem, 'list' | 'open'>, directory: string): LogSnapshot {
    for (let tries = 1; ; tries++) {
      const entries = fileSystem.list(directory);
      const files = new Map<string, SnapshotFile>();
      const complete = openLastFirst(fileSystem, directory, entries, files, tries === TRIES_MAX);
      const snapshot = new LogSnapshot(directory, entries, files);
      if (complete && sameSegments(entries, fileSystem.list(directory))) return snapshot;
      snapshot.close();
      if (tries === TRIES_MAX) throw new Error(`${directory} did not hold still for one moment in ${TRIES_MAX} tries.`);
    }
  }

  /** Differs from that of an earlier one where something was written between them: what segments hold only grows, or comes and goes. */
  get fingerprint(): string {
    let written = 0;
    for (const file of this.#files.values()) written += file.dataEnd();
    return `${this.segmentNames.join()} ${written}`;
  }

  /** Bytes of all segments. */
  get bytes(): number {
    let sum = 0;
    for (const file of this.#files.values()) sum += file.size();
    return sum;
  }

  /** Names of the segments, in order; also of those that are no regular files. */
  get segmentNames(): readonly string[] {
    return segmentNames(this.#entries);
  }

  close(): void {
    for (const file of this.#files.values()) file.closeForGood();
  }

  list(): readonly DirectoryEntry[] {
    return this.#entries;
  }

  open(path: string, mode: 'read' | 'write' | 'create'): LogFile {
    if (mode !== 'read') return refuse();
    const file = this.#files.get(path);
    if (file !== undefined) return file;
    throw new StoreOpenError(path, 'a segment must be a regular file. Move it away if it is not yours.');
  }

  freeBytes(): undefined {
    return undefined;
  }

  tellSyncs(): void {}

  readonly removeInBackground = refuse;
  readonly createDirectory = refuse;
  readonly link = refuse;
  readonly rename = refuse;
  readonly remove = refuse;
  readonly syncDirectory = refuse;
  readonly lock = refuse;
}

class SnapshotFile implements LogFile {
  readonly #file: LogFile;
  readonly #size: number;
  readonly #dataEnd: number;

  constructor(file: LogFile) {
    this.#file = file;
    // The data first: what is appended in between lies behind it, and a frame that begins before it ends within the size.
    this.#dataEnd = file.dataEnd();
    this.#size = file.size();
  }

  size(): number {
    return this.#size;
  }

  /** Whoever reads frames asks for none that begins behind it: room that was made ahead may have been written to since. */
  dataEnd(): number {
    return this.#dataEnd;
  }

  read(into: Uint8Array, position: number): number {
    const left = Math.max(0, this.#size - position);
    return this.#file.read(left < into.length ? into.subarray(0, left) : into, position);
  }

  /** Stays open for the next reader. */
  close(): void {}

  closeForGood(): void {
    this.#file.close();
  }

  readonly write = refuse;
  readonly makeRoom = refuse;
  readonly truncate = refuse;
  readonly syncData = refuse;
  readonly syncDataInBackground = refuse;
  readonly sync = refuse;
  readonly isAt = refuse;
}

function refuse(): never {
  throw new Error('A snapshot of a log is only read.');
}

/** @returns false when a file vanished meanwhile */
function openLastFirst(
  fileSystem: Pick<FileSystem, 'open'>,
  directory: string,
  entries: readonly DirectoryEntry[],
  files: Map<string, SnapshotFile>,
  isLastTry: boolean,
): boolean {
  const regular = entries.filter(({ isFile }) => isFile);
  for (const name of segmentNames(regular).toReversed()) {
    const path = join(directory, name);
    try {
      files.set(path, new SnapshotFile(fileSystem.open(path, 'read')));
    } catch (error) {
      const vanished = error instanceof Error && 'code' in error && error.code === 'ENOENT';
      if (vanished && !isLastTry) return false;
      for (const file of files.values()) file.closeForGood();
      throw error;
    }
  }
  return true;
}

function segmentNames(entries: readonly DirectoryEntry[]): string[] {
  return entries
    .map(({ name }) => name)
    .filter((name) => parseSegmentName(name) !== undefined)
    .sort();
}

function sameSegments(before: readonly DirectoryEntry[], after: readonly DirectoryEntry[]): boolean {
  return segmentNames(before).join('\n') === segmentNames(after).join('\n');
}

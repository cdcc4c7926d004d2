/**
 * The seam between the log and a disk. Everything the log does to files goes through here, so that a simulated disk can
 * tear writes, drop what was never synced and fail on purpose. Calls are synchronous: the engine has a thread of its own
 * and wants to know at once; only the sync of a commit can run beside it.
 *
 * Errors are thrown as the operating system gives them (`code`: ENOSPC, EIO, …).
 */
export interface FileSystem {
  /** Names in a directory; an absent directory is an error (ENOENT). */
  list(directory: string): readonly DirectoryEntry[];
  /** Makes the directory and its parents where they are absent, and makes their names durable. */
  createDirectory(directory: string): void;
  /**
   * `read`: an existing file; `write`: an existing file, both ways; `create`: a new one, both ways (EEXIST if it exists). Links
   * are not followed, and anything but a regular file is refused.
   */
  open(path: string, mode: 'read' | 'write' | 'create'): LogFile;
  /** Gives an existing file a second name, which must be free. Fails where the disk has no such links, or between two disks (EXDEV, EPERM, …). */
  link(from: string, to: string): void;
  /** Replaces `to` where it exists, in one step. */
  rename(from: string, to: string): void;
  remove(path: string): void;
  /**
   * Begins to remove a file beside the caller's thread, because a large one takes a file system many milliseconds. Nobody is told how that
   * ends: what the disk does not let go, or a crash leaves, stays there.
   */
  removeInBackground(path: string): void;
  /** Makes the names in a directory durable (created, renamed and removed files). */
  syncDirectory(directory: string): void;
  /** Bytes that may still be written to the disk of this directory; `undefined` where that cannot be known. */
  freeBytes(directory: string): number | undefined;
  /**
   * Calls `done` of the syncs in the background that have ended well, which otherwise waits for the caller's thread to be free: calls that follow
   * each other without a pause would keep it from that. Not to be called from within one.
   */
  tellSyncs(): void;
  /**
   * Takes the exclusive lock of a file (made if absent) and notes in it who holds it, for people. The lock ends with `unlock` or
   * with the process, however that ends; a second taker fails also inside the same process.
   * @returns the lock, or who holds it at present, where that can be read.
   */
  lock(path: string): FileLock | LockHolder;
}

export interface DirectoryEntry {
  readonly name: string;
  readonly isFile: boolean;
}

export interface LogFile {
  size(): number;
  /** Where its last byte ends that is not zero: behind it lies at most room that was made ahead. */
  dataEnd(): number;
  /** Reads at a position into the buffer; may read less than asked; 0 at the end of the file. */
  read(into: Uint8Array, position: number): number;
  /** Writes at a position; may write less than given, never 0 without an error. */
  write(bytes: Uint8Array, position: number): number;
  /**
   * Writes zeros to a place at or behind its end, for later writes to find their room there. A disk without room for them takes fewer, or
   * none, and that is no error.
   * @returns how many it took
   */
  makeRoom(bytes: number, position: number): number;
  /** Cuts it to this size; the room is free again. A crash may undo that until the next sync. */
  truncate(bytes: number): void;
  /** Makes contents (and size) durable before it returns: `fdatasync`. */
  syncData(): void;
  /**
   * The same, beside the caller's thread; `done` is called once, in a later turn or by `tellSyncs`, also when the file was closed meanwhile, with how long the
   * disk took where that is known. One at a time for each file.
   */
  syncDataInBackground(done: (error: Error | undefined, tookMs?: number) => void): void;
  /** Makes contents and all metadata durable: `fsync`, for new files. */
  sync(): void;
  /** Whether this path still leads to this very file. */
  isAt(path: string): boolean;
  close(): void;
}

export interface FileLock {
  /** Whether this path still leads to the file whose lock is held. */
  isAt(path: string): boolean;
  unlock(): void;
}

export interface LockHolder {
  readonly holderPid: number | undefined;
}

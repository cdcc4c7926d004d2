import {
  closeSync,
  constants,
  fdatasyncSync,
  fstatSync,
  fsyncSync,
  ftruncateSync,
  linkSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readSync,
  renameSync,
  statfsSync,
  statSync,
  unlink,
  unlinkSync,
  writeSync,
} from 'node:fs';
import { dirname, resolve } from 'node:path';
import process from 'node:process';
import locks from 'fs-native-extensions';
import { findDataEnd } from './data-end.js';
import { isDiskFull } from './disk-full.js';
import type { DirectoryEntry, FileLock, FileSystem, LockHolder, LogFile } from './file-system.js';
import { readHolderPid } from './lock-note.js';
import { type SyncDone, SyncThreadOwner } from './sync-thread-owner.js';

const { O_CREAT, O_DIRECTORY, O_EXCL, O_NOFOLLOW, O_NONBLOCK, O_RDONLY, O_RDWR } = constants;
// O_NONBLOCK: opening a pipe that lies there under a segment's name must not hang.
const OPEN_FLAGS = {
  read: O_RDONLY | O_NOFOLLOW | O_NONBLOCK,
  write: O_RDWR | O_NOFOLLOW | O_NONBLOCK,
  create: O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW,
} as const;
/** Payloads may be anybody's personal data: only the owner of the process reads them. */
const FILE_MODE = 0o600;
const DIRECTORY_MODE = 0o700;

/** The real disk, through synchronous calls. */
export class NodeFileSystem implements FileSystem {
  #syncThread: SyncThreadOwner | undefined;
  #openForWriting = 0;

  list(directory: string): readonly DirectoryEntry[] {
    return readdirSync(directory, { withFileTypes: true }).map((entry) => ({
      name: entry.name,
      isFile: entry.isFile(),
    }));
  }

  createDirectory(directory: string): void {
    const made: string[] = [];
    makeDirectory(resolve(directory), made);
    for (const path of made.reverse()) this.syncDirectory(dirname(path));
  }

  open(path: string, mode: 'read' | 'write' | 'create'): LogFile {
    const descriptor = openRegularFile(path, OPEN_FLAGS[mode]);
    if (mode === 'read') return new NodeLogFile(descriptor, undefined);
    this.#openForWriting++;
    return new NodeLogFile(descriptor, this);
  }

  link(from: string, to: string): void {
    linkSync(from, to);
  }

  rename(from: string, to: string): void {
    renameSync(from, to);
  }

  remove(path: string): void {
    unlinkSync(path);
  }

  /** In the thread pool of libuv: an application that fills it puts off nothing but this. */
  removeInBackground(path: string): void {
    unlink(path, () => {});
  }

  syncDirectory(directory: string): void {
    const descriptor = openSync(directory, O_RDONLY | O_DIRECTORY);
    try {
      fsyncSync(descriptor);
    } finally {
      closeSync(descriptor);
    }
  }

  freeBytes(directory: string): number | undefined {
    try {
      const { bavail, bsize } = statfsSync(directory);
      return bavail * bsize;
    } catch {
      return undefined;
    }
  }

  lock(path: string): FileLock | LockHolder {
    const descriptor = openRegularFile(path, O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK);
    try {
      // A lock of the open file description (OFD): it also excludes this process, and ends with the descriptor or its process.
      if (!locks.tryLock(descriptor)) {
        const holderPid = readHolderPid(path, Date.now() - process.uptime() * 1000);
        closeSync(descriptor);
        return { holderPid };
      }
      ftruncateSync(descriptor, 0);
      writeSync(descriptor, `${JSON.stringify({ pid: process.pid, sinceMs: Date.now() })}\n`, 0);
    } catch (error) {
      closeSync(descriptor);
      throw error;
    }
    const identity = identityOf(descriptor);
    return { isAt: (at) => leadsTo(at, identity), unlock: () => closeSync(descriptor) };
  }

  /** For the files of this file system. */
  tellSyncs(): void {
    this.#syncThread?.tellDone();
  }

  syncInBackground(descriptor: number, done: SyncDone): void {
    this.#syncThread ??= new SyncThreadOwner();
    this.#syncThread.sync(descriptor, done);
  }

  /** For the files of this file system: the last one that could be written takes the thread with it. */
  closedForWriting(): void {
    this.#openForWriting--;
    if (this.#openForWriting > 0) return;
    this.#syncThread?.close();
    this.#syncThread = undefined;
  }
}

/** Made when they are first needed, and shared: nobody writes to them. */
let zeros = new Uint8Array(0);

class NodeLogFile implements LogFile {
  readonly #descriptor: number;
  readonly #owner: NodeFileSystem | undefined;
  readonly #identity: FileIdentity;
  #closed = false;

  constructor(descriptor: number, owner: NodeFileSystem | undefined) {
    this.#descriptor = descriptor;
    this.#owner = owner;
    this.#identity = identityOf(descriptor);
  }

  size(): number {
    return fstatSync(this.#descriptor).size;
  }

  dataEnd(): number {
    return findDataEnd(this, this.size());
  }

  read(into: Uint8Array, position: number): number {
    return readSync(this.#descriptor, into, 0, into.length, position);
  }

  write(bytes: Uint8Array, position: number): number {
    return writeSync(this.#descriptor, bytes, 0, bytes.length, position);
  }

  makeRoom(bytes: number, position: number): number {
    if (zeros.length < bytes) zeros = new Uint8Array(bytes);
    try {
      return writeSync(this.#descriptor, zeros, 0, bytes, position);
    } catch (error) {
      if (isDiskFull(error)) return 0;
      throw error;
    }
  }

  truncate(bytes: number): void {
    ftruncateSync(this.#descriptor, bytes);
  }

  syncData(): void {
    fdatasyncSync(this.#descriptor);
  }

  syncDataInBackground(done: SyncDone): void {
    if (this.#owner === undefined) throw new Error('A file opened for reading has nothing to sync.');
    this.#owner.syncInBackground(this.#descriptor, done);
  }

  sync(): void {
    fsyncSync(this.#descriptor);
  }

  isAt(path: string): boolean {
    return leadsTo(path, this.#identity);
  }

  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    closeSync(this.#descriptor);
    this.#owner?.closedForWriting();
  }
}

interface FileIdentity {
  readonly dev: bigint;
  readonly ino: bigint;
}

function identityOf(descriptor: number): FileIdentity {
  return fstatSync(descriptor, { bigint: true });
}

function leadsTo(path: string, { dev, ino }: FileIdentity): boolean {
  const found = lstatSync(path, { bigint: true, throwIfNoEntry: false });
  return found?.ino === ino && found.dev === dev;
}

/**
 * Parents first. Not Node's own `recursive`: it never returns where a directory that is there says that it is not when something is to be
 * made in it, as /proc and mount points without their mount do. Nothing could end that but the end of the process.
 * @param made gets each that was made here
 */
function makeDirectory(path: string, made: string[]): void {
  try {
    mkdirSync(path, { mode: DIRECTORY_MODE });
  } catch (error) {
    // Where there is a link that leads nowhere this throws, and says so better than that something is there.
    if (statSync(path, { throwIfNoEntry: hasCode(error, 'EEXIST') })?.isDirectory() === true) return;
    const parent = dirname(path);
    const isForWantOfParent = hasCode(error, 'ENOENT') && parent !== path;
    if (!isForWantOfParent || lstatSync(parent, { throwIfNoEntry: false }) !== undefined) throw error;
    makeDirectory(parent, made);
    makeDirectory(path, made);
    return;
  }
  made.push(path);
}

function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code;
}

function openRegularFile(path: string, flags: number): number {
  const descriptor = openSync(path, flags, FILE_MODE);
  if (fstatSync(descriptor).isFile()) return descriptor;
  closeSync(descriptor);
  throw Object.assign(new Error(`${path} is not a regular file`), { code: 'EFTYPE' });
}

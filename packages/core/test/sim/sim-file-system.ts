import { basename, dirname } from 'node:path';
import type { DirectoryEntry, FileLock, FileSystem, LockHolder, LogFile } from '../../src/log/file-system.js';
import { GONE_SUFFIX } from '../../src/log/segment-name.js';
import type { SeededRandom } from './seeded-random.js';
import { SimDirectory, type SimDisk, systemError } from './sim-disk.js';
import { SimInode } from './sim-inode.js';

/** Thrown where the process ends. Nothing of it runs on: whoever catches it starts a new process on the same disk. */
export class ProcessEnded extends Error {}

/** What goes wrong at a step. `end`: the process or the machine ends in the middle of it. */
export type Fault = 'end' | 'EIO' | 'ENOSPC';

export interface FaultPlan {
  /** Counts every step that changes the disk, from 0. */
  readonly atStep: number;
  readonly fault: Fault;
}

/** A step that changes the disk. */
export type StepKind = 'create' | 'link' | 'rename' | 'remove' | 'syncDirectory' | 'truncate' | 'write' | 'sync';

/** Looks at the disk at one moment. `torn`: a write is half done. */
export type Watch = (kind: StepKind, torn: boolean) => void;

/**
 * One process's view of a simulated disk. Steps that change the disk are counted, and one of them can fail on purpose. A sync in the
 * background ends when the test calls `finishSyncs`.
 */
export class SimFileSystem implements FileSystem {
  steps = 0;
  /** Writes are taken in parts, at random. */
  shortWrites = false;
  plan: FaultPlan | undefined;
  /** A read fails as often as this. */
  readFailures = 0;
  /** Called before each step that changes the disk, and now and then in the middle of a write. */
  watch: Watch | undefined;
  /** Called before each read: a slow disk lets time pass. */
  reading: (() => void) | undefined;
  /** Called after each write, but not for room that is made ahead. */
  wrote: ((bytes: number) => void) | undefined;
  /** Called when a step or a read fails on purpose, or for want of room. */
  failed: ((kind: StepKind | 'read', code: string) => void) | undefined;
  readonly disk: SimDisk;
  readonly random: SeededRandom;
  #ended = false;
  #syncs: (() => void)[] = [];

  constructor(disk: SimDisk, random: SeededRandom, plan?: FaultPlan) {
    this.disk = disk;
    this.random = random;
    this.plan = plan;
  }

  list(directory: string): readonly DirectoryEntry[] {
    this.alive();
    const folders = [...this.disk.directories.keys()].filter((path) => dirname(path) === directory);
    const files = [...this.disk.directory(directory).current.keys()];
    return [
      ...folders.map((path) => ({ name: basename(path), isFile: false })),
      ...files.map((name) => ({ name, isFile: true })),
    ];
  }

  createDirectory(path: string): void {
    this.alive();
    if (!this.disk.directories.has(path)) this.disk.directories.set(path, new SimDirectory());
  }

  open(path: string, mode: 'read' | 'write' | 'create'): LogFile {
    this.alive();
    const directory = this.disk.directory(dirname(path));
    const name = basename(path);
    const found = directory.current.get(name);
    if (mode !== 'create') {
      if (found === undefined) throw systemError('ENOENT', path);
      return new SimLogFile(this, found, path);
    }
    if (found !== undefined) throw systemError('EEXIST', path);
    const inode = new SimInode();
    this.step('create', path, () => directory.change({ kind: 'create', name, inode }));
    return new SimLogFile(this, inode, path);
  }

  /** The disk has links. */
  canLink = true;

  link(from: string, to: string): void {
    const inode = this.disk.directory(dirname(from)).current.get(basename(from));
    if (inode === undefined) throw systemError('ENOENT', from);
    const directory = this.disk.directory(dirname(to));
    if (directory.current.has(basename(to))) throw systemError('EEXIST', to);
    if (!this.canLink) throw systemError('EXDEV', to);
    this.step('link', to, () => directory.change({ kind: 'create', name: basename(to), inode }));
  }

  rename(from: string, to: string): void {
    const source = this.disk.directory(dirname(from));
    const inode = source.current.get(basename(from));
    if (inode === undefined) throw systemError('ENOENT', from);
    // A segment on its way out: a failure costs nothing that was promised, as that of a removal.
    this.step(to.endsWith(GONE_SUFFIX) ? 'remove' : 'rename', from, () => {
      if (dirname(from) === dirname(to)) {
        source.change({ kind: 'rename', from: basename(from), to: basename(to), inode });
        return;
      }
      this.disk.directory(dirname(to)).change({ kind: 'create', name: basename(to), inode });
      source.change({ kind: 'remove', name: basename(from) });
    });
  }

  remove(path: string): void {
    const directory = this.disk.directory(dirname(path));
    if (!directory.current.has(basename(path))) throw systemError('ENOENT', path);
    this.step('remove', path, () => directory.change({ kind: 'remove', name: basename(path) }));
  }

  /** At once: whatever the log does meanwhile has nothing to do with it. */
  removeInBackground(path: string): void {
    try {
      this.remove(path);
    } catch (error) {
      if (error instanceof ProcessEnded) throw error;
    }
  }

  syncDirectory(path: string): void {
    this.step('syncDirectory', path, () => this.disk.directory(path).sync());
  }

  freeBytes(): number | undefined {
    return this.disk.freeBytes;
  }

  lock(path: string): FileLock | LockHolder {
    this.alive();
    if (this.disk.locks.has(path)) return { holderPid: 1 };
    this.disk.locks.add(path);
    return { isAt: (at) => this.disk.locks.has(at), unlock: () => this.disk.locks.delete(path) };
  }

  /** What the disk says that a sync in the background took, without the way to it. */
  syncTookMs: number | undefined;

  /** The syncs that were begun in the background end now. */
  finishSyncs(): void {
    for (const finish of this.#syncs.splice(0)) finish();
  }

  /** Whether syncs have ended well by the time that somebody wants to know. */
  syncsArePrompt = false;

  tellSyncs(): void {
    if (this.syncsArePrompt && this.plan === undefined) this.finishSyncs();
  }

  beginSync(finish: () => void): void {
    this.#syncs.push(finish);
  }

  /** Does one step, or what the plan makes of it: `broken` leaves it half done. */
  step(kind: StepKind, path: string, whole: () => void, broken?: (fault: Fault) => void): void {
    this.alive();
    this.watch?.(kind, false);
    if (this.steps++ !== this.plan?.atStep) {
      whole();
      return;
    }
    const { fault } = this.plan;
    broken?.(fault);
    if (fault !== 'end') throw this.failure(kind, fault, path);
    this.#ended = true;
    throw new ProcessEnded('The process ended here.');
  }

  failure(kind: StepKind | 'read', code: string, path: string): Error {
    this.failed?.(kind, code);
    return systemError(code, path);
  }

  /** The log may have wrapped the ProcessEnded that it met. */
  get ended(): boolean {
    return this.#ended;
  }

  alive(): void {
    if (this.#ended) throw new ProcessEnded('The process had ended before.');
  }
}

class SimLogFile implements LogFile {
  readonly #system: SimFileSystem;
  readonly #inode: SimInode;
  readonly #path: string;

  constructor(system: SimFileSystem, inode: SimInode, path: string) {
    this.#system = system;
    this.#inode = inode;
    this.#path = path;
  }

  size(): number {
    this.#system.alive();
    return this.#inode.current.length;
  }

  dataEnd(): number {
    this.#system.alive();
    return this.#inode.current.findLastIndex((byte) => byte !== 0) + 1;
  }

  read(into: Uint8Array, position: number): number {
    const { random, readFailures } = this.#system;
    this.#system.alive();
    this.#system.reading?.();
    if (readFailures > 0 && random.chance(readFailures)) throw this.#system.failure('read', 'EIO', this.#path);
    const rest = this.#inode.current.subarray(position, position + into.length);
    const count = this.#system.shortWrites
      ? Math.min(rest.length, 1 + this.#system.random.below(rest.length + 1))
      : rest.length;
    into.set(rest.subarray(0, count));
    return count;
  }

  write(bytes: Uint8Array, position: number): number {
    const taken = this.#put(bytes, position);
    this.#system.wrote?.(taken);
    return taken;
  }

  #put(bytes: Uint8Array, position: number): number {
    const { random, shortWrites } = this.#system;
    const wanted = shortWrites && random.chance(0.3) ? 1 + random.below(bytes.length) : bytes.length;
    const taken = this.#asFits(position, wanted);
    const write = (from: number, to: number) => this.#inode.write(position + from, bytes.subarray(from, to));
    this.#system.step(
      'write',
      this.#path,
      () => {
        const torn = this.#system.watch === undefined ? 0 : random.below(taken);
        if (torn > 0) {
          write(0, torn);
          this.#system.watch?.('write', true);
        }
        write(torn, taken);
      },
      () => write(0, random.below(taken + 1)),
    );
    return taken;
  }

  /** A full disk takes the beginning of a write, or nothing of it. @throws ENOSPC */
  #asFits(position: number, wanted: number): number {
    const { disk, random } = this.#system;
    const room = this.#inode.current.length + (disk.freeBytes ?? Number.POSITIVE_INFINITY) - position;
    if (wanted <= room) return wanted;
    if (room <= 0 || random.chance(0.5)) throw this.#system.failure('write', 'ENOSPC', this.#path);
    return room;
  }

  makeRoom(bytes: number, position: number): number {
    try {
      return this.#put(new Uint8Array(bytes), position);
    } catch (error) {
      if (error instanceof Error && 'code' in error && error.code === 'ENOSPC') return 0;
      throw error;
    }
  }

  truncate(bytes: number): void {
    this.#system.step('truncate', this.#path, () => this.#inode.truncate(bytes));
  }

  syncData(): void {
    this.#system.step(
      'sync',
      this.#path,
      () => this.#inode.sync(),
      (fault) => {
        if (fault !== 'end') this.#inode.failSync(this.#system.random);
      },
    );
  }

  sync(): void {
    this.syncData();
  }

  syncDataInBackground(done: (error: Error | undefined, tookMs?: number) => void): void {
    this.#system.alive();
    const covered = this.#inode.changes;
    this.#system.beginSync(() => {
      try {
        this.#finishSync(covered);
      } catch (error) {
        if (error instanceof ProcessEnded) throw error;
        done(error instanceof Error ? error : new Error(String(error)));
        return;
      }
      done(undefined, this.#system.syncTookMs);
    });
  }

  isAt(path: string): boolean {
    return this.#system.disk.directory(dirname(path)).current.get(basename(path)) === this.#inode;
  }

  close(): void {}

  #finishSync(covered: number): void {
    this.#system.step(
      'sync',
      this.#path,
      () => this.#inode.sync(covered),
      (fault) => {
        if (fault !== 'end') this.#inode.failSync(this.#system.random);
      },
    );
  }
}

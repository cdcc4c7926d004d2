import { randomBytes } from 'node:crypto';
import { existsSync, readdirSync, realpathSync, rmSync, statSync } from 'node:fs';
import { dirname, join, resolve, sep } from 'node:path';
import { StoreLockedError } from '@holdfast/contract';
import {
  createSegment,
  type FileLock,
  type FileSystem,
  LOCK_NAME,
  lockDirectory,
  NodeFileSystem,
  SegmentedLog,
  type SegmentHeader,
} from '@holdfast/core/log';
import { LIMITS } from '@holdfast/core/records';
import { CommandError } from '../command-error.js';
import { EXIT } from '../exit-code.js';

/** Where a log is made. */
export interface TargetPlace {
  readonly directory: string;
  /** The folder in it in which the log is made; it is moved up when it is whole, so that nobody takes half of it for all. */
  readonly unfinished: string;
  /** Asked before the directory is locked, which makes a file in it, and again behind that. @throws where anything is in it that must stay */
  requireFree(): void;
}

/** Numbers that the new log goes on from, so that ids, tokens and sequence numbers never go back. */
export interface Origin {
  readonly storeId: Uint8Array;
  readonly segmentNumber: number;
  readonly epoch: number;
  readonly firstSeq: number;
  readonly idFloor: number;
  /** No job that comes without a delay ranks before it. */
  readonly rankFloorMs: number;
}

/** @throws CommandError when the directory is not empty, or lies inside of the source */
export function requireEmptyTarget(source: string, target: string, command: 'repair' | 'snapshot' = 'repair'): void {
  const place = nearestRealPath(target);
  const from = realpathSync(source);
  if (place === from || place.startsWith(from + sep)) {
    const message = `${target} lies inside of ${source}, and a ${command} changes nothing there.`;
    throw new CommandError(EXIT.refused, message, 'Choose a target outside of it.');
  }
  if (!existsSync(target)) return;
  if (!statSync(target).isDirectory()) {
    throw new CommandError(
      EXIT.refused,
      `${target} is not a directory.`,
      'Choose a directory that does not exist yet.',
    );
  }
  // A repair locks its target first, and takes one that was cut off then.
  const mayStay = command === 'repair' ? LOCK_NAME : undefined;
  if (readdirSync(target).every((name) => name === mayStay)) return;
  throw new CommandError(
    EXIT.refused,
    `${target} is not empty. A ${command} never writes over anything.`,
    `Choose a directory that does not exist yet, or remove what an earlier ${command} left there.`,
  );
}

interface Clock {
  now(): number;
  monotonicMs(): number;
}

/**
 * The directory in which a repaired or moved log is made. It is locked as a store locks it until the log is in its place, or discarded: nobody
 * opens it meanwhile, and no second run takes what the first one makes for a rest.
 */
export class LogTarget {
  readonly log: SegmentedLog;
  /** Where the log is until it is whole. */
  readonly unfinished: string;
  readonly #directory: string;
  readonly #fileSystem: FileSystem;
  readonly #lock: FileLock;
  /** What is in its place. */
  readonly #placed: string[] = [];

  /** Removes what an earlier run left. @throws StoreLockedError while another one is at work there, or a store is open; what `requireFree` throws */
  static begin(
    place: TargetPlace,
    origin: Origin,
    clock: Clock,
    fileSystem: FileSystem = new NodeFileSystem(),
  ): LogTarget {
    place.requireFree();
    fileSystem.createDirectory(place.directory);
    const lock = lockTarget(place.directory, fileSystem);
    try {
      place.requireFree();
    } catch (error) {
      lock.unlock();
      throw error;
    }
    const unfinished = join(place.directory, place.unfinished);
    try {
      removeRest(place.directory);
      fileSystem.createDirectory(unfinished);
      return new LogTarget(
        place.directory,
        unfinished,
        makeLog(unfinished, origin, clock, fileSystem),
        lock,
        fileSystem,
      );
    } catch (error) {
      discardAll(place.directory, [unfinished], lock);
      throw error;
    }
  }

  private constructor(
    directory: string,
    unfinished: string,
    log: SegmentedLog,
    lock: FileLock,
    fileSystem: FileSystem,
  ) {
    this.#directory = directory;
    this.unfinished = unfinished;
    this.log = log;
    this.#lock = lock;
    this.#fileSystem = fileSystem;
  }

  /**
   * Moves the closed log to its place, the first segment last: until that is there, an open refuses what it finds. Everything is durable
   * when this returns. Where it throws, `discard` takes back what is in its place already.
   */
  place(reportName: string, report: string): void {
    const system = this.#fileSystem;
    this.#writeReport(reportName, report);
    // That of the log in the folder; the one of the directory stays.
    system.remove(join(this.unfinished, LOCK_NAME));
    const names = system.list(this.unfinished).map(({ name }) => name);
    for (const name of names.sort().toReversed()) {
      system.rename(join(this.unfinished, name), join(this.#directory, name));
      this.#placed.push(join(this.#directory, name));
      system.syncDirectory(this.#directory);
    }
    rmSync(this.unfinished, { recursive: true, force: true });
    system.syncDirectory(this.#directory);
    this.#lock.unlock();
  }

  /** Removes what was made so far, the first segment before all others: without that nothing opens. */
  discard(): void {
    this.log.abandon();
    discardAll(this.#directory, [...this.#placed.toReversed(), this.unfinished], this.#lock);
  }

  #writeReport(name: string, report: string): void {
    const file = this.#fileSystem.open(join(this.unfinished, name), 'create');
    try {
      const bytes = new TextEncoder().encode(report);
      for (let done = 0; done < bytes.length; ) done += file.write(bytes.subarray(done), done);
      file.sync();
    } finally {
      file.close();
    }
  }
}

/** Whoever discards removes the file of the lock at last: a lock of a file that is gone keeps nobody out. */
function lockTarget(directory: string, fileSystem: FileSystem): FileLock {
  const lock = lockDirectory(fileSystem, directory);
  if (lock.isAt(join(directory, LOCK_NAME))) return lock;
  lock.unlock();
  throw new StoreLockedError(directory, undefined);
}

function removeRest(directory: string): void {
  for (const name of readdirSync(directory)) {
    if (name !== LOCK_NAME) rmSync(join(directory, name), { recursive: true, force: true });
  }
}

function discardAll(directory: string, paths: readonly string[], lock: FileLock): void {
  try {
    for (const path of [...paths, join(directory, LOCK_NAME)]) rmSync(path, { recursive: true, force: true });
  } finally {
    lock.unlock();
  }
}

function makeLog(directory: string, origin: Origin, clock: Clock, fileSystem: FileSystem): SegmentedLog {
  createSegment(fileSystem, directory, firstHeader(origin, clock.now())).file.close();
  const random = { fraction: () => 0, bytes: (count: number) => new Uint8Array(randomBytes(count)) };
  return SegmentedLog.open(
    {
      directory,
      fileSystem,
      random,
      now: () => clock.now(),
      monotonicMs: () => clock.monotonicMs(),
      segmentBytes: LIMITS.segmentBytesDefault,
    },
    { record: () => {}, nextId: () => origin.idFloor },
  );
}

/** Its number is behind all that the source had: were it ever put beside them, they would count as retired. */
function firstHeader(origin: Origin, createdAtMs: number): SegmentHeader {
  const { storeId, segmentNumber, epoch, firstSeq, idFloor, rankFloorMs } = origin;
  return {
    compatibleFeatures: 0,
    readOnlyFeatures: 0,
    incompatibleFeatures: 0,
    storeId,
    segmentNumber,
    salt: randomBytes(8).readBigUInt64LE(),
    epoch,
    firstSeq,
    idFloor,
    tokenFloor: epoch * 2 ** 32,
    minSegment: segmentNumber,
    createdAtMs,
    previousSegment: 0,
    previousEnd: 0,
    previousLastSeq: 0,
    previousCrc: 0,
    rankFloor: rankFloorMs,
  };
}

/** The path without links, as far as it exists. */
function nearestRealPath(path: string): string {
  const absolute = resolve(path);
  if (existsSync(absolute)) return realpathSync(absolute);
  return join(nearestRealPath(dirname(absolute)), absolute.slice(dirname(absolute).length));
}

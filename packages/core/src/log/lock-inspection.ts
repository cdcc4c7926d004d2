import { closeSync, constants, fstatSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import locks from 'fs-native-extensions';
import { LOCK_NAME } from './directory-lock.js';
import type { FileLock, LockHolder } from './file-system.js';
import { readHolderPid } from './lock-note.js';

/** Every lock that the kernel holds. Linux only. */
const KERNEL_LOCKS = '/proc/locks';
/** `1: OFDLCK ADVISORY  WRITE -1 fe:00:2253121 0 EOF`: kind, access, device and inode of the file. */
const EXCLUSIVE_LOCK = /^\d+: OFDLCK +ADVISORY +WRITE +-?\d+ [0-9a-f]+:[0-9a-f]+:(\d+) /;

/** Whether a log directory is open somewhere at this moment. */
export interface LockState {
  /** `unknown`: this system does not tell without taking the lock. */
  readonly held: 'yes' | 'no' | 'unknown';
  /** Who took the lock last. It may be long gone unless `held` is `yes`. */
  readonly holderPid: number | undefined;
}

/** Looks at the lock of a directory and neither takes it nor writes anything, so that no open fails because somebody looked. */
export function inspectLock(directory: string): LockState {
  const path = join(directory, LOCK_NAME);
  const descriptor = openForReading(path);
  if (descriptor === undefined) return { held: 'no', holderPid: undefined };
  try {
    return { held: isHeld(fstatSync(descriptor, { bigint: true }).ino), holderPid: readHolderPid(path) };
  } finally {
    closeSync(descriptor);
  }
}

/**
 * Keeps owners out of a directory until `unlock`, and writes nothing. Other readers that call this are not kept out.
 * @returns the lock, or who has the directory open, or `undefined` when it has no lock file: then nobody ever opened it.
 */
export function keepOwnersOut(directory: string): Pick<FileLock, 'unlock'> | LockHolder | undefined {
  const path = join(directory, LOCK_NAME);
  const descriptor = openForReading(path);
  if (descriptor === undefined) return undefined;
  if (locks.tryLock(descriptor, { shared: true })) return { unlock: () => closeSync(descriptor) };
  closeSync(descriptor);
  return { holderPid: readHolderPid(path) };
}

function openForReading(path: string): number | undefined {
  try {
    return openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  }
}

function isHeld(inode: bigint): LockState['held'] {
  try {
    const lines = readFileSync(KERNEL_LOCKS, 'latin1').split('\n');
    return lines.some((line) => EXCLUSIVE_LOCK.exec(line)?.[1] === String(inode)) ? 'yes' : 'no';
  } catch {
    return 'unknown';
  }
}

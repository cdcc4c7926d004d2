import { join } from 'node:path';
import { StoreLockedError } from '@holdfast/contract';
import type { FileLock, FileSystem } from './file-system.js';

export const LOCK_NAME = 'lock';

/**
 * One owner a directory. The lock is the operating system's: nothing is left to clean when its owner is killed.
 * @throws StoreLockedError
 */
export function lockDirectory(fileSystem: FileSystem, directory: string): FileLock {
  const lock = fileSystem.lock(join(directory, LOCK_NAME));
  if ('holderPid' in lock) throw new StoreLockedError(directory, lock.holderPid);
  return lock;
}

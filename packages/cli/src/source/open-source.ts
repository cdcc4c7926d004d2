import { type Stats, statSync } from 'node:fs';
import { inspectLock, LogSnapshot, NodeFileSystem } from '@holdfast/core/log';
import { CommandError } from '../command-error.js';
import { EXIT } from '../exit-code.js';

/**
 * The log of a directory for reading. Takes no lock and writes nothing.
 * @throws CommandError that says what is there instead of a log
 */
export function openSource(directory: string): LogSnapshot {
  requireDirectory(directory);
  const snapshot = LogSnapshot.take(new NodeFileSystem(), directory);
  if (snapshot.segmentNames.length > 0) return snapshot;
  throw new CommandError(
    EXIT.unreadable,
    `${directory} holds no log: no file in it has a name such as 0000000001.segment.`,
    'Name the directory that the store was opened with.',
  );
}

function requireDirectory(directory: string): void {
  const found = statOf(directory);
  if (found === undefined) {
    throw new CommandError(
      EXIT.unreadable,
      `${directory} does not exist.`,
      'Check the path: it is the directory that the store was opened with.',
    );
  }
  if (found.isDirectory()) return;
  throw new CommandError(
    EXIT.unreadable,
    `${directory} is not a directory.`,
    'Name the directory that holds the segments, not one of them.',
  );
}

/** @returns `undefined` where there is nothing. @throws where the system does not let anybody look */
function statOf(path: string): Stats | undefined {
  try {
    return statSync(path);
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
    throw error;
  }
}

/** Who has the directory open at this moment. `likely`: this system does not tell, but the process that noted its id there is alive. */
export interface LiveOwner {
  readonly certainty: 'sure' | 'likely';
  readonly pid: number | undefined;
}

export function findLiveOwner(directory: string): LiveOwner | undefined {
  const { held, holderPid: pid } = inspectLock(directory);
  if (held === 'yes') return { certainty: 'sure', pid };
  if (held === 'unknown' && pid !== undefined && isAlive(pid)) return { certainty: 'likely', pid };
  return undefined;
}

export function ownerText({ certainty, pid }: LiveOwner): string {
  const process = pid === undefined ? 'another process' : `process ${pid}`;
  return certainty === 'sure' ? `${process} has it open` : `${process} seems to have it open`;
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // It lives, and belongs to somebody else.
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

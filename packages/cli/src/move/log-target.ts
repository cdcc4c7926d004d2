import { existsSync, readdirSync, rmdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { LogCorruptError } from '@holdfast/contract';
import { MoveRefusedError } from '@holdfast/contract/moving';
import {
  decodeSegmentHeader,
  LOCK_NAME,
  NodeFileSystem,
  parseSegmentName,
  readUpTo,
  SEGMENT_HEADER_BYTES,
} from '@holdfast/core/log';
import type { TargetPlace } from '../repair/target.js';

export const MOVE_REPORT = 'move-report.json';
/** Not the name that a repair uses: what that left is not for a move to remove. */
const UNFINISHED = 'unfinished-move';

/** `leftover`: what a move that was cut off has left there. */
export type TargetState = 'empty' | 'leftover' | 'log' | 'other';

/** What is in a directory that a log is to be moved to, beside its lock. Changes nothing. */
export function targetState(directory: string): TargetState {
  if (!existsSync(directory)) return 'empty';
  if (!statSync(directory).isDirectory()) return 'other';
  const names = readdirSync(directory).filter((name) => name !== LOCK_NAME);
  if (names.length === 0) return 'empty';
  const isWritten = names.some(isSegment);
  if (!names.includes(UNFINISHED)) return isWritten ? 'log' : 'other';
  // The last thing that leaves it is the first segment: then the log is whole.
  if (!readdirSync(join(directory, UNFINISHED)).some(isSegment) && isWritten) return 'log';
  return names.every(isOfMove) && areOfOneLog(directory) ? 'leftover' : 'other';
}

/** The place of a log that is moved to a directory: what a move that was cut off has left may be removed. */
export function movePlace(directory: string): TargetPlace {
  const requireFree = () => {
    const state = targetState(directory);
    if (state === 'empty' || state === 'leftover') return;
    throw new MoveRefusedError(directory, 'is not empty', 'Choose a directory that is empty or does not exist.');
  };
  return { directory, unfinished: UNFINISHED, requireFree };
}

/** A move may have been cut off when all was in place but this. */
export function removeEmptyRest(directory: string): void {
  const rest = join(directory, UNFINISHED);
  if (existsSync(rest) && readdirSync(rest).length === 0) rmdirSync(rest);
}

function isSegment(name: string): boolean {
  return parseSegmentName(name) !== undefined;
}

function isOfMove(name: string): boolean {
  return name === UNFINISHED || name === MOVE_REPORT || isSegment(name);
}

/** An application may have begun a store of its own beside the rest of a move. */
function areOfOneLog(directory: string): boolean {
  const above = storesIn(directory);
  return above.length === 0 || new Set([...above, ...storesIn(join(directory, UNFINISHED))]).size === 1;
}

function storesIn(directory: string): string[] {
  return readdirSync(directory)
    .filter(isSegment)
    .map((name) => storeOf(join(directory, name)));
}

/** A segment without a whole header is of no log that a move was about to put in its place. */
function storeOf(segment: string): string {
  const file = new NodeFileSystem().open(segment, 'read');
  try {
    const { storeId } = decodeSegmentHeader(readUpTo(file, 0, SEGMENT_HEADER_BYTES), segment);
    return Buffer.from(storeId).toString('hex');
  } catch (error) {
    if (error instanceof LogCorruptError) return segment;
    throw error;
  } finally {
    file.close();
  }
}

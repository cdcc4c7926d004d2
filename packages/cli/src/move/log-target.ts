import { existsSync, readdirSync, rmdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { MoveRefusedError } from '@holdfast/contract/moving';
import { parseSegmentName } from '@holdfast/core/log';
import { UNFINISHED } from '../repair/target.js';
import { findLiveOwner } from '../source/open-source.js';

export const MOVE_REPORT = 'move-report.json';

/** `leftover`: what a move that was cut off has left there. */
export type TargetState = 'empty' | 'leftover' | 'log' | 'other';

/** What is in a directory that a log is to be moved to. Changes nothing. */
export function targetState(directory: string): TargetState {
  if (!existsSync(directory)) return 'empty';
  if (!statSync(directory).isDirectory()) return 'other';
  const names = readdirSync(directory);
  if (names.length === 0) return 'empty';
  const isWritten = holdsSegment(names);
  if (!names.includes(UNFINISHED)) return isWritten ? 'log' : 'other';
  // The last thing that leaves it is the first segment: then the log is whole.
  if (!holdsSegment(readdirSync(join(directory, UNFINISHED))) && isWritten) return 'log';
  return names.every(isOfMove) ? 'leftover' : 'other';
}

/** @throws MoveRefusedError unless nothing but what a move has left is in it: that is removed */
export function makeRoom(directory: string): void {
  const state = targetState(directory);
  if (state === 'log' || state === 'other') {
    throw new MoveRefusedError(directory, 'is not empty', 'Choose a directory that is empty or does not exist.');
  }
  if (state === 'empty') return;
  const owner = findLiveOwner(join(directory, UNFINISHED));
  if (owner !== undefined) {
    const who = owner.pid === undefined ? 'another process' : `process ${owner.pid}`;
    throw new MoveRefusedError(directory, `is being written by ${who}`, 'Wait until that has ended.');
  }
  for (const name of readdirSync(directory)) rmSync(join(directory, name), { recursive: true });
}

/** A move may have been cut off when all was in place but this. */
export function removeEmptyRest(directory: string): void {
  const rest = join(directory, UNFINISHED);
  if (existsSync(rest) && readdirSync(rest).length === 0) rmdirSync(rest);
}

function holdsSegment(names: readonly string[]): boolean {
  return names.some((name) => parseSegmentName(name) !== undefined);
}

function isOfMove(name: string): boolean {
  return name === UNFINISHED || name === MOVE_REPORT || parseSegmentName(name) !== undefined;
}

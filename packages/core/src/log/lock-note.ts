import { readFileSync } from 'node:fs';
import process from 'node:process';

/**
 * Who last noted in a lock file that they hold it; `undefined` where that cannot be read, or would name another process.
 *
 * Each container counts its processes anew, and the application is often the first of its own. So a note with the number of this process that was
 * written before this process began is another's, whom that number does not name here.
 *
 * @param beganMs when this process began, on the wall clock; left out where the number is only shown
 */
export function readHolderPid(path: string, beganMs = Number.NEGATIVE_INFINITY): number | undefined {
  try {
    const note: unknown = JSON.parse(readFileSync(path, 'utf8'));
    if (typeof note !== 'object' || note === null || !('pid' in note)) return undefined;
    const isOfOtherContainer = note.pid === process.pid && 'sinceMs' in note && Number(note.sinceMs) < beganMs;
    return typeof note.pid === 'number' && !isOfOtherContainer ? note.pid : undefined;
  } catch {
    // The holder may be writing it at this moment.
    return undefined;
  }
}

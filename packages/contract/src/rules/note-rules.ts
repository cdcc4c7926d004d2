import { InvalidArgumentError } from '../errors.js';
import type { LogLine } from '../job.js';
import type { NoteItem } from '../job-store.js';
import { checkWhole } from './call-checks.js';
import { cutText } from './cut-text.js';
import { STORE_LIMITS as LIMITS } from './limits.js';
import { storableText, textProblem } from './text-problem.js';

/** What one note adds to what is known of an attempt. */
export interface CheckedNote {
  /** `undefined`: as it was. */
  readonly progress: string | undefined;
  /** No more than a job may keep. */
  readonly lines: readonly LogLine[];
  /** Those that came with this note but are not among its lines. */
  readonly droppedLines: number;
}

/** More cannot be counted, and is told as that many. */
const DROPPED_MAX = 0xffff_ffff;

/**
 * A copy that no caller can change. A line is cut, never refused: it only tells of the work, and must not end it.
 * @throws InvalidArgumentError
 */
export function checkedNote(index: number, { progress, lines = [], droppedLines = 0 }: NoteItem): CheckedNote {
  const argument = `note[${index}]`;
  if (progress !== undefined) checkProgress(`${argument}.progress`, progress);
  if (!Array.isArray(lines)) throw new InvalidArgumentError(`${argument}.lines`, lines, 'an array of lines');
  checkWhole(`${argument}.droppedLines`, droppedLines, 0, DROPPED_MAX);
  const last = lines.slice(-LIMITS.logLinesMax).map((line, at) => checkedLine(`${argument}.lines[${at}]`, line));
  const kept = new LineAllowance().take(last);
  const dropped = droppedLines + lines.length - kept.length;
  return { progress, lines: kept, droppedLines: Math.min(dropped, DROPPED_MAX) };
}

/** How much is kept of the lines of one job. They are taken from the newest to the oldest; behind one that does not fit, none does. */
export class LineAllowance {
  #lines: number = LIMITS.logLinesMax;
  #bytes: number = LIMITS.logBytesMax;

  get isUsedUp(): boolean {
    return this.#lines === 0;
  }

  /** The last of the lines that still fit. */
  take(lines: readonly LogLine[]): readonly LogLine[] {
    let from = lines.length;
    while (from > 0 && this.#fits(lines[from - 1]!)) from--;
    return from === 0 ? lines : lines.slice(from);
  }

  #fits({ text }: LogLine): boolean {
    if (this.#lines === 0) return false;
    this.#bytes -= Buffer.byteLength(text);
    this.#lines = this.#bytes < 0 ? 0 : this.#lines - 1;
    return this.#bytes >= 0;
  }
}

function checkProgress(argument: string, progress: string): void {
  if (typeof progress !== 'string') throw new InvalidArgumentError(argument, progress, 'a JSON text');
  if (textProblem(progress, LIMITS.progressBytesMax) !== undefined) {
    throw new InvalidArgumentError(argument, progress, storableText(LIMITS.progressBytesMax));
  }
  try {
    JSON.parse(progress);
  } catch {
    throw new InvalidArgumentError(argument, progress, 'a JSON text');
  }
}

function checkedLine(argument: string, line: LogLine): LogLine {
  const { atMs, text } = line ?? {};
  if (typeof text !== 'string') throw new InvalidArgumentError(`${argument}.text`, text, 'a text');
  if (!(typeof atMs === 'number' && atMs >= 0 && atMs <= LIMITS.runAtMsMax)) {
    throw new InvalidArgumentError(`${argument}.atMs`, atMs, 'a time in epoch milliseconds');
  }
  return { atMs: Math.floor(atMs), text: cutText(text, LIMITS.logLineBytesMax) };
}

import { basename } from 'node:path';
import { LogCorruptError, LogVersionError } from '@holdfast/contract';
import { FrameReader, type LogExamination, type LogSnapshot, ReadWindow } from '@holdfast/core/log';
import { EXIT, type ExitCode } from '../exit-code.js';

export type Verdict =
  /** Closed in order. */
  | { readonly kind: 'clean' }
  /** Every byte is valid, but nobody closed it: it is open, or its process was cut off. */
  | { readonly kind: 'unclosed' }
  | {
      readonly kind: 'torn';
      readonly file: string;
      readonly offset: number;
      readonly bytes: number;
      readonly firstSeq: number;
      readonly problem: string;
    }
  | { readonly kind: 'damaged'; readonly file: string; readonly offset: number; readonly problem: string }
  | { readonly kind: 'unknownFormat'; readonly file: string; readonly problem: string };

export const VERDICT_CODES: Readonly<Record<Verdict['kind'], ExitCode>> = {
  clean: EXIT.sound,
  unclosed: EXIT.sound,
  torn: EXIT.sound,
  damaged: EXIT.damaged,
  unknownFormat: EXIT.unknownFormat,
};

/** The verdict on a log whose examination came to its end. */
export function judge(snapshot: LogSnapshot, found: LogExamination): Verdict {
  const tail = found.segments.at(-1);
  if (tail !== undefined && tail.end < tail.dataEnd) {
    const reader = new FrameReader(snapshot.open(tail.file, 'read'), new ReadWindow(), tail.header);
    reader.position = tail.end;
    reader.nextSeq = tail.lastSeq + 1;
    reader.last = tail.last;
    reader.next();
    const place = { file: tail.name, offset: tail.end, bytes: tail.dataEnd - tail.end, firstSeq: tail.lastSeq + 1 };
    return { kind: 'torn', ...place, problem: reader.problem ?? 'there is no frame' };
  }
  return found.clean ? { kind: 'clean' } : { kind: 'unclosed' };
}

/** The verdict that ended an examination; `undefined` for an error of another kind. */
export function verdictOf(error: unknown): Verdict | undefined {
  if (error instanceof LogCorruptError) {
    return { kind: 'damaged', file: basename(error.file), offset: error.offset, problem: error.problem };
  }
  if (error instanceof LogVersionError) {
    return { kind: 'unknownFormat', file: basename(error.file), problem: error.problem };
  }
  return undefined;
}

import type { Clock, HoldfastError, SettleAnswer } from '@holdfast/contract';
import type { SegmentedLog } from '../log/segmented-log.js';
import type { JobTable } from '../state/job-table.js';
import { encodeNote, noteBodyBytes, noteContents } from '../state/note-record.js';
import { RECORD } from '../state/record-kinds.js';
import type { Commits } from './commits.js';
import type { EngineNote, SettleDone } from './engine-calls.js';
import { SettleCall, type Settling } from './settling.js';
import { storeFullError } from './store-full.js';

export interface NoteParts {
  readonly table: JobTable;
  readonly commits: Commits;
  readonly settling: Settling;
  readonly clock: Clock;
  readonly log: SegmentedLog;
}

const TOLD_MAX = 0xffff_ffff;

/** Keeps what handlers tell of their work, each under the token of its lease. */
export class Notes {
  readonly #parts: NoteParts;

  constructor(parts: NoteParts) {
    this.#parts = parts;
  }

  /** What the disk has no room for is refused: the reserve is for the ends of jobs. */
  note(items: readonly EngineNote[], done: SettleDone): void {
    const { commits, settling, log } = this.#parts;
    const answers: SettleAnswer[] = [];
    let refusal: HoldfastError | undefined;
    for (const item of items) {
      const answer = settling.check(item.id, item.token);
      if (answer === 'ok' && !this.#note(item)) {
        refusal = storeFullError(log);
        break;
      }
      answers.push(answer);
    }
    commits.answerWritten(new SettleCall(answers, refusal === undefined ? done : () => done(refusal, undefined)));
  }

  /** @returns whether there was room */
  #note({ id, token, note }: EngineNote): boolean {
    const { table, commits, clock, log } = this.#parts;
    const slot = table.ids.find(id);
    const before = table.leases.notes(table.columns.position[slot]!);
    const { lines, progress = before?.progress ?? '' } = note;
    const told = Math.min(TOLD_MAX, (before?.told ?? 0) + lines.length + note.droppedLines);
    const previous = before?.previous ?? table.columns.history[slot]!;
    const fields = { atMs: clock.now(), id, token, previous, earlier: before?.linesAt ?? 0, told, progress, lines };
    const contents = noteContents(fields);
    const bodyBytes = noteBodyBytes(contents);
    if (!log.space.admits(bodyBytes)) return false;
    commits.room(bodyBytes);
    const record = commits.reserve(RECORD.note, bodyBytes);
    encodeNote(record, contents);
    table.note(slot, fields, record.location);
    return true;
  }
}

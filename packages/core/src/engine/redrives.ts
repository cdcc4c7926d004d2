import type { ActedBy, ActOutcome, Clock, HoldfastError, JobState, Selection } from '@holdfast/contract';
import { parseId } from '../identity.js';
import { NONE } from '../state/job-columns.js';
import { STATE, stateName } from '../state/job-state.js';
import type { JobTable } from '../state/job-table.js';
import { RECORD } from '../state/record-kinds.js';
import { type ActBytes, actBytes, encodeRedrive, redriveBodyBytes } from '../state/settle-records.js';
import type { Call, Commits } from './commits.js';
import type { Done } from './engine-calls.js';

export interface RedriveParts {
  readonly table: JobTable;
  readonly commits: Commits;
  readonly clock: Clock;
  readonly storeTag: string;
}

class RedriveResult implements Call {
  readonly #outcome: ActOutcome;
  readonly #done: Done<ActOutcome>;

  constructor(outcome: ActOutcome, done: Done<ActOutcome>) {
    this.#outcome = outcome;
    this.#done = done;
  }

  finish(error: HoldfastError | undefined): void {
    this.#done(error, error === undefined ? this.#outcome : undefined);
  }
}

/** Makes dead jobs ready again, each with a record of who did it. */
export class Redrives {
  readonly #parts: RedriveParts;

  constructor(parts: RedriveParts) {
    this.#parts = parts;
  }

  redrive(selection: Selection, by: ActedBy, done: Done<ActOutcome>): void {
    const act = actBytes(by.actor, by.reason);
    const outcome = 'ids' in selection ? this.#byId(selection.ids, act) : this.#allDead(selection.allDead.queue, act);
    this.#parts.commits.answerWritten(new RedriveResult(outcome, done));
  }

  #byId(ids: readonly string[], act: ActBytes): ActOutcome {
    const { table, storeTag } = this.#parts;
    const skipped: Partial<Record<JobState | 'missing', number>> = {};
    let done = 0;
    for (const text of ids) {
      const id = parseId(storeTag, text);
      const slot = id === undefined ? NONE : table.ids.find(id);
      if (slot !== NONE && table.columns.state[slot] === STATE.dead) {
        this.#one(slot, act);
        done++;
      } else {
        const why = slot === NONE ? 'missing' : stateName(table.columns.state[slot]!);
        skipped[why] = (skipped[why] ?? 0) + 1;
      }
    }
    return { matched: ids.length, done, skipped };
  }

  /** All that are dead now, the oldest first, so that they rank as they did. */
  #allDead(queue: string | undefined, act: ActBytes): ActOutcome {
    const { table } = this.#parts;
    const slots: number[] = [];
    table.ids.walkDown(table.nextId, STATE.dead, (slot) => {
      const isDead = table.columns.state[slot] === STATE.dead;
      if (isDead && (queue === undefined || table.shapeOf(slot).queue === queue)) slots.push(slot);
      return true;
    });
    for (let index = slots.length - 1; index >= 0; index--) this.#one(slots[index]!, act);
    return { matched: slots.length, done: slots.length, skipped: {} };
  }

  #one(slot: number, act: ActBytes): void {
    const { table, commits, clock } = this.#parts;
    const atMs = clock.now();
    const bodyBytes = redriveBodyBytes(act);
    commits.room(bodyBytes);
    const record = commits.reserve(RECORD.redrive, bodyBytes);
    encodeRedrive(record, { atMs, id: table.columns.id[slot]!, previous: table.columns.history[slot]! }, act);
    table.redrive(slot, atMs, record.location);
  }
}

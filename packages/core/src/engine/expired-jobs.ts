import type { Clock } from '@holdfast/contract';
import { ACT_PARTS, actBodyBytes, encodeActHead, encodeActItem, NO_ACTOR } from '../state/act-records.js';
import type { JobTable } from '../state/job-table.js';
import { RECORD } from '../state/record-kinds.js';
import type { Commits } from './commits.js';
import type { Events } from './events.js';

export interface ExpiredJobParts {
  readonly table: JobTable;
  readonly commits: Commits;
  readonly events: Events;
  readonly clock: Clock;
}

/** Jobs that are cancelled in one turn for their age; the next turn follows at once. */
const EXPIRED_BATCH = 10_000;

/** Cancels jobs that nobody has started in time. */
export class ExpiredJobs {
  readonly #parts: ExpiredJobParts;

  constructor(parts: ExpiredJobParts) {
    this.#parts = parts;
  }

  /** Cancels the first of those that are due, in one record. */
  cancelDue(): void {
    const { table, clock } = this.#parts;
    const { expiries } = table;
    if (expiries.size === 0) return;
    const atMs = clock.now();
    if (expiries.nextMs <= atMs) this.#write(atMs, expiries.firstDue(atMs, EXPIRED_BATCH));
  }

  #write(atMs: number, slots: readonly number[]): void {
    const { table, commits, events } = this.#parts;
    const { columns } = table;
    const parts = ACT_PARTS.expire;
    const bodyBytes = actBodyBytes(parts, NO_ACTOR, slots.length);
    commits.room(bodyBytes);
    const record = commits.reserve(RECORD.expire, bodyBytes);
    const writer = encodeActHead(record, parts, { atMs, priority: 0, count: slots.length }, NO_ACTOR);
    for (const slot of slots) {
      const id = columns.id[slot]!;
      encodeActItem(writer, parts, id, columns.history[slot]!);
      // Those that stand behind it in its queue can be seen now.
      table.waiting.wake(table.shapeOf(slot).lane.queue);
      if (events.isOn) events.job('cancelled', slot);
      table.expire(slot, atMs, record.location);
    }
  }
}

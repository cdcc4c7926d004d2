import type { Clock } from '@holdfast/contract';
import {
  encodeForgotten,
  encodeForgottenDead,
  forgottenBodyBytes,
  forgottenDeadBodyBytes,
} from '../state/forgotten-record.js';
import { STATE } from '../state/job-state.js';
import type { JobTable } from '../state/job-table.js';
import type { KeptRing } from '../state/kept-ring.js';
import { RECORD } from '../state/record-kinds.js';
import type { Commits } from './commits.js';

export interface RetainedJobParts {
  readonly table: JobTable;
  readonly commits: Commits;
  readonly clock: Clock;
}

/** Jobs that are forgotten in one turn: a millisecond or so; the next turn follows at once. */
export const FORGET_SLICE_JOBS = 1000;

/** Forgets jobs that came to their end and have been kept for long enough, in small steps. */
export class RetainedJobs {
  readonly #parts: RetainedJobParts;

  constructor(parts: RetainedJobParts) {
    this.#parts = parts;
  }

  /** The part of the work that belongs to this turn. */
  forgetDue(): void {
    const { table, clock } = this.#parts;
    const { columns } = table;
    const { dues } = table.ended;
    if (dues.size === 0) return;
    const nowMs = clock.now();
    const wantedLive = columns.live - FORGET_SLICE_JOBS;
    while (dues.nextMs <= nowMs && columns.live > wantedLive) {
      const ring = dues.first;
      const { below, nextMs } = ring.belowDue(nowMs, columns.live - wantedLive, columns.updatedAtMs);
      if (below > 0) this.#forget(ring, below);
      dues.setFor(ring, nextMs);
    }
  }

  #forget({ queue: name, state }: KeptRing, below: number): void {
    const { table, commits } = this.#parts;
    const bytes = Buffer.from(name, 'utf8');
    if (state === STATE.dead) {
      const bodyBytes = forgottenDeadBodyBytes(bytes);
      commits.room(bodyBytes);
      const record = commits.reserve(RECORD.forgottenDead, bodyBytes);
      encodeForgottenDead(record, { deadBelow: below }, bytes);
      table.forgottenDead(name, { deadBelow: below }, record);
      return;
    }
    const { completed, cancelled } = table.shapes.queueFor(name);
    const forgotten = {
      completedBelow: state === STATE.completed ? below : completed.forgottenBelow,
      cancelledBelow: state === STATE.cancelled ? below : cancelled.forgottenBelow,
    };
    const bodyBytes = forgottenBodyBytes(bytes);
    commits.room(bodyBytes);
    const record = commits.reserve(RECORD.forgotten, bodyBytes);
    encodeForgotten(record, forgotten, bytes);
    table.forgotten(name, forgotten, record);
  }
}

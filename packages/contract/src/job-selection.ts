import type { JobId, JobState } from './job.js';

/**
 * Which jobs are meant: those that match everything that is given. Queues whose names begin with `holdfast.` belong to Holdfast itself:
 * their jobs match only where the filter names their queue.
 */
export interface JobFilter {
  readonly state?: JobState;
  readonly queue?: string;
  readonly name?: string;
  /** An id, or the beginning of one. */
  readonly id?: string;
  /** Class of the last error. Only jobs that are dead or wait for a retry have one. */
  readonly errorClass?: string;
  /** Stands somewhere in the message of the last error, in whatever case. */
  readonly errorText?: string;
  /** Of the last error, as `deadGroups` gives it: dead jobs only. */
  readonly errorFingerprint?: string;
  /** Attempts started, at least. */
  readonly attemptsMin?: number;
  /** Enqueued at this wall-clock time or later. */
  readonly enqueuedFromMs?: number;
  /** Enqueued before this wall-clock time. */
  readonly enqueuedBeforeMs?: number;
  /** In its state since this wall-clock time or later: of a job that is over, when it ended. */
  readonly updatedFromMs?: number;
  readonly updatedBeforeMs?: number;
  readonly payload?: PayloadField;
}

/** A field of a payload that is JSON. */
export interface PayloadField {
  /** Names and places in lists, with points between: `user.id`, `lines.0.sku`. */
  readonly path: string;
  /** A text, or what the number, `true`, `false` or `null` looks like in the payload. */
  readonly value: string;
}

export interface PageRequest {
  /** 1 to 200. */
  readonly limit: number;
  /** From a former page. */
  readonly cursor?: string;
  /**
   * Jobs that are looked at for this page, at most, where the filter asks for more than state, queue and name. A store may stop
   * earlier, so that nobody waits for it. Default 20,000.
   */
  readonly scanMax?: number;
}

/** A number that was counted to its end, or only so far. */
export interface Total {
  readonly value: number;
  readonly relation: 'exact' | 'atLeast';
}

export interface Page<Row> {
  readonly rows: readonly Row[];
  /** Absent on the last page. A page may have fewer rows than were asked for, or none, and a next one all the same. */
  readonly next?: string;
  /** How many match in all: exact, or at least that many. */
  readonly total: Total;
  /** Present where the filter asks for more than state, queue and name. */
  readonly scan?: PageScan;
}

/** How far a search has looked, the newest jobs first. */
export interface PageScan {
  /** Jobs that were looked at for this page. */
  readonly scanned: number;
  /** Nothing is left to be looked at. */
  readonly exhausted: boolean;
}

/**
 * Jobs by id (one that is named twice counts once), or all jobs that are in a state as of now: those that come into it while the
 * act is under way are not among them, and one that left it before its turn is skipped. Or a piece of all that match a filter as of a
 * plan.
 */
export type Selection = { readonly ids: readonly JobId[] } | { readonly all: JobsInState } | PlannedPiece;

export interface JobsInState {
  readonly state: JobState;
  readonly queue?: string;
  readonly name?: string;
}

/**
 * Some of the jobs that match a filter and have not changed their state since a plan was made, the newest first. One that
 * changed after the plan is never touched, whatever it has become.
 */
export interface PlannedPiece {
  readonly all: JobFilter & { readonly state: JobState };
  /** From `plan`. */
  readonly asOf: string;
  /** Jobs of this piece, at most: 1 to 1,000. */
  readonly limit: number;
  /** From the outcome of the piece before. */
  readonly cursor?: string;
}

/** Jobs by id, or all that match. */
export type PlanRequest = { readonly ids: readonly JobId[] } | { readonly all: JobFilter };

/** What an act on these jobs would meet, and the moment for which that holds. */
export interface SelectionPlan {
  /** For `PlannedPiece`. Opaque; valid as long as the store exists. */
  readonly asOf: string;
  readonly matched: Total;
  /** `missing`: of ids that the store does not know. */
  readonly states: Readonly<Partial<Record<JobState | 'missing', number>>>;
  /** Those with the most jobs, at most 100. */
  readonly queues: readonly { readonly queue: string; readonly count: number }[];
  /** Up to five of the newest. */
  readonly samples: readonly JobId[];
}

export interface ActedBy {
  readonly actor: string;
  readonly reason?: string;
}

/** `matched` = `done` + all of `skipped`; a job that is not in a fitting state is skipped and counted under its state. */
export interface ActOutcome {
  readonly matched: number;
  readonly done: number;
  readonly skipped: Readonly<Partial<Record<JobState | 'missing', number>>>;
  /** Of a piece that is not the last one: where the next begins. */
  readonly next?: string;
}

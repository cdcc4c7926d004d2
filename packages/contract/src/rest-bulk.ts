import type { JobId, JobState } from './job.js';
import type { JobFilter } from './job-selection.js';
import type { AdminRole } from './rest.js';

/** `drain` cancels all that is ready or scheduled in a queue. */
export type BulkAct =
  | { readonly kind: 'redrive' | 'runNow' | 'cancel' | 'remove' | 'drain' }
  | { readonly kind: 'reprioritise'; readonly priority: number }
  | { readonly kind: 'transfer'; readonly queue: string };

/** Jobs by id (1 to 1,000), or all that match; `drain` takes a filter that names a queue and nothing else. */
export interface BulkTarget {
  readonly act: BulkAct;
  readonly selection: { readonly ids: readonly JobId[] } | { readonly filter: JobFilter };
}

/** An act on many jobs that the server works off in pieces. */
export interface BulkOperation extends BulkTarget {
  readonly id: string;
  /** `waiting`: not begun, see `startsAtMs`. `failed`: see `problem`; what was done stays done. */
  readonly status: 'waiting' | 'running' | 'paused' | 'done' | 'aborted' | 'failed';
  /** Jobs that the plan counted. */
  readonly planned: number;
  readonly done: number;
  /**
   * `changed`: jobs of the plan that were not found again as they were (they ran, were acted on or were forgotten meanwhile), known
   * at the end. If the server was killed, those that it did in its last second are counted here too.
   */
  readonly skipped: Readonly<Partial<Record<JobState | 'missing' | 'changed', number>>>;
  readonly ratePerSecond: number;
  readonly actor: string;
  readonly role: AdminRole;
  readonly reason?: string;
  readonly createdAtMs: number;
  /** Nothing is done before this time: until then an abort leaves every job as it is. */
  readonly startsAtMs: number;
  readonly updatedAtMs: number;
  readonly endedAtMs?: number;
  readonly problem?: string;
}

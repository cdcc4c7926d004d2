import type { JobId } from './job.js';
import type { Total } from './job-selection.js';

/** Dead jobs whose last errors have one cause, as far as their texts tell. */
export interface DeadGroup {
  /** The same in every store, as long as its first part (the version of the rules) is the same. */
  readonly fingerprint: string;
  readonly errorClass: string;
  /** The message with placeholders for what differs from job to job. */
  readonly message: string;
  /** The innermost line of the stack that belongs to the application, without line numbers; absent where the stack has none. */
  readonly frame?: string;
  readonly count: number;
  readonly queues: readonly { readonly queue: string; readonly count: number }[];
  readonly names: readonly { readonly name: string; readonly count: number }[];
  /** When the first and the last of them died; a store may count in some that are gone since. */
  readonly firstDeadAtMs: number;
  readonly lastDeadAtMs: number;
  /** The latest ones, at most five; fewer, or none, where those that are remembered are gone. */
  readonly samples: readonly JobId[];
}

export interface DeadGroupFilter {
  readonly queue?: string;
  readonly name?: string;
  readonly errorClass?: string;
  /** Stands in the class, the message or the frame, in whatever case. */
  readonly text?: string;
  /** The first of them, as `firstDeadAtMs` says it, died at this time or later: what is new. */
  readonly firstDeadFromMs?: number;
}

export interface DeadGroupPage {
  /** Those with the most jobs first. */
  readonly groups: readonly DeadGroup[];
  /** Absent on the last page. */
  readonly next?: string;
  readonly total: Total;
}

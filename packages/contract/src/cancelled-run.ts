import type { JobError } from './job.js';

/** What became of a handler whose job an operator cancelled while it ran, as its worker tells it. Times are of the wall clock. */
export interface HandlerAfterCancel {
  readonly attempt: number;
  /** When its signal was aborted; absent where it has not been told, or had ended before its worker heard of the cancel. */
  readonly heardAtMs?: number;
  /** Absent while it runs. */
  readonly endedAtMs?: number;
  /**
   * `stopped`: it rejected with what its signal gave. `returned`: it returned, early or with all its work done, which nobody but the handler
   * can tell apart. `failed`: it threw something else.
   */
  readonly ended?: 'stopped' | 'returned' | 'failed';
  /** What it threw: with `failed`. */
  readonly error?: JobError;
}

/** A cancel of a running job, step by step: asked for, heard, and what the handler did then. */
export interface CancelledRun extends HandlerAfterCancel {
  readonly worker: string;
  /** When the cancel was recorded: from then on nothing that the handler answers is kept. */
  readonly requestedAtMs: number;
  /**
   * Whether the worker has told, or can still tell, what the handler did. It cannot where it is of another process or was closed, also by a
   * restart, nor of one that ended before the last thousand.
   */
  readonly known: boolean;
}

import type { AbortReason, JobError } from '@holdfast/contract';
import type { Job, JobContext } from '../queue/handler.js';

/** What an isolate is told when it is started. */
export interface IsolateStart {
  /** URL of the module with the handlers. */
  readonly module: string;
}

/** An attempt as it is handed over: what of its context is plain data. */
export interface IsolatedRun {
  /** Counts up within an isolate: what comes later from an attempt that is over is told from the present one by it. */
  readonly run: number;
  readonly job: Job;
  readonly context: Pick<JobContext, 'token' | 'attempt' | 'worker'>;
}

export type ToIsolate =
  | ({ readonly kind: 'run' } & IsolatedRun)
  | { readonly kind: 'abort'; readonly reason: AbortReason }
  /** Answers an extension; with what was thrown where that failed. */
  | { readonly kind: 'extended'; readonly call: number; readonly thrown?: Thrown }
  /** Nothing will be run any more: tidy up and end. */
  | { readonly kind: 'end' };

export type FromIsolate = { readonly run: number } & (
  | { readonly kind: 'returned'; readonly value: unknown }
  /** It returned, but what it returned cannot be brought here; `why` is what the system says of it. */
  | { readonly kind: 'lostResult'; readonly why: string }
  /** `broken`: the isolate is good for nothing, because its module could not be loaded. */
  | { readonly kind: 'threw'; readonly thrown: Thrown; readonly broken?: boolean }
  | { readonly kind: 'progress'; readonly value: unknown }
  | { readonly kind: 'log'; readonly line: string }
  | { readonly kind: 'extend'; readonly call: number; readonly leaseMs: number | undefined }
  /** Nobody caught it: the isolate ends now. */
  | { readonly kind: 'uncaught'; readonly thrown: Thrown }
  /** In place of a message that came, but could not be read on this side; `why` is what the system says of it. */
  | { readonly kind: 'unreadable'; readonly why: string }
);

/** A handler can post on the same way, whatever it likes. */
export function isFromIsolate(message: unknown): message is FromIsolate {
  return typeof message === 'object' && message !== null && 'run' in message && 'kind' in message;
}

/** What was thrown, as plain data: what a worker makes of an error is all that crosses. */
export type Thrown =
  | { readonly kind: 'error' | 'unrecoverable' | 'cancelJob'; readonly error: JobError }
  | { readonly kind: 'retryAfter' | 'snooze'; readonly error: JobError; readonly delayMs: number }
  /** The reason of the signal, or its echo. */
  | { readonly kind: 'aborted' };

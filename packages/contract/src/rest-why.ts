import type { JobState } from './job.js';
import type { Total } from './job-selection.js';

/** One reason why a job is not running, or (`leased`) what is known of its running. */
export type WhyReason =
  /** The store takes or hands out nothing: its health says why. */
  | { readonly kind: 'storeDown'; readonly status: 'opening' | 'failed' | 'closed'; readonly detail?: string }
  | {
      readonly kind: 'queuePaused';
      readonly actor: string;
      readonly reason?: string;
      readonly sinceMs: number;
      /** Absent where it lasts until somebody resumes the queue. */
      readonly untilMs?: number;
    }
  /** It was enqueued for a time that has not come. */
  | { readonly kind: 'notDue'; readonly dueAtMs: number }
  /** An attempt failed, and the next one is due at this time. */
  | {
      readonly kind: 'retry';
      readonly attempts: number;
      readonly maxAttempts: number | null;
      readonly dueAtMs: number;
      readonly error?: { readonly class: string; readonly message: string };
    }
  /** Nobody who was seen lately claims jobs of this queue and name. `queueWorkers`: how many claim others of the queue. */
  | { readonly kind: 'noHandler'; readonly queueWorkers: number }
  /** Those who would take it have no free slot, as of their last claims. */
  | { readonly kind: 'workersBusy'; readonly workers: number; readonly busy: number }
  /** Ready jobs of its queue that come before it. */
  | { readonly kind: 'behind'; readonly jobs: Total }
  /** Nothing is in its way: it is handed out with the next claim. */
  | { readonly kind: 'next' }
  | {
      readonly kind: 'leased';
      readonly worker: string;
      readonly sinceMs: number;
      readonly attempt: number;
      /** Since the lease was given or last extended. */
      readonly heartbeatAgeMs: number;
      readonly remainingMs: number;
      /** What becomes of it when the lease ends without a word. */
      readonly then: Extract<JobState, 'scheduled' | 'dead'>;
    };

import type { DeadGroup } from './dead-group.js';
import type { QueuePause } from './job-store.js';
import type { StoreHealth } from './store-report.js';

/** One thing that a person should look at. `danger`: something is wrong; `caution`: it should be known. */
export type AttentionItem = { readonly tone: 'danger' | 'caution' } & AttentionFact;

export type AttentionFact =
  /** Such as `full`: it takes no new jobs. A store that has failed mostly cannot answer at all. */
  | {
      readonly kind: 'storeNotOpen';
      readonly status: Exclude<StoreHealth['status'], 'open'>;
      readonly detail?: string;
    }
  /** An error that killed nobody until a quarter of an hour ago. */
  | {
      readonly kind: 'newError';
      readonly error: Pick<DeadGroup, 'fingerprint' | 'errorClass' | 'message' | 'count' | 'firstDeadAtMs'>;
    }
  /** `queue` where all of them are in one. */
  | { readonly kind: 'deadJobs'; readonly jobs: number; readonly queues: number; readonly queue?: string }
  /** Holds jobs and was not heard of for 90 seconds. */
  | { readonly kind: 'silentWorker'; readonly worker: string; readonly busy: number; readonly lastSeenAtMs: number }
  /** Jobs have been ready for over a minute, and none of the queue is leased. */
  | { readonly kind: 'nobodyWorks'; readonly queue: string; readonly ready: number; readonly oldestReadyAtMs: number }
  /** A pause is an act of somebody, so it is no alarm; forgetting it is. */
  | { readonly kind: 'pausedQueue'; readonly queue: string; readonly paused: QueuePause }
  /** Of the last hour, as far back as the store remembers them. */
  | { readonly kind: 'leaseExpiries'; readonly expiries: number; readonly latestAtMs: number }
  /** Since the start of the application. */
  | { readonly kind: 'reopened'; readonly times: number };

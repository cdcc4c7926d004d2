import type { RetentionOptions } from '@holdfast/contract';
/** What one process of a store's life does, from its open to its end. */
export interface LifePlan {
  readonly directory: string;
  readonly journal: string;
  readonly seed: number;
  readonly round: number;
  /** `work`: until it is killed. `drain`: until every job is settled. `look`: only what an open shows. Both then close. */
  readonly what: 'work' | 'drain' | 'look';
  readonly segmentBytes: number;
  readonly retention: RetentionOptions;
  readonly diskReserveBytes?: number;
  /** No jobs are made while there are more live ones than this: every open lists them all. */
  readonly liveJobsMax: number;
  /** Numbers of calls go on from here. */
  readonly firstCall: number;
  /** Leases of an earlier process, to be tried once more. */
  readonly oldLeases: readonly { readonly id: string; readonly token: string }[];
  /** The process ends itself after it has noted so many lines. */
  readonly ownEnd?: OwnEnd;
}

export interface OwnEnd {
  readonly afterLines: number;
  /** SIGKILL, or `process.exit` in the midst of it all. */
  readonly by: 'kill' | 'exit';
}

/** With this code a process under torture exits that did not close its store. */
export const EXIT_UNCLOSED = 7;

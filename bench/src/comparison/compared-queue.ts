import type { Peer } from '../peer.js';

/** A job is tried so often, where its queue tries again at all; the next time as soon as the queue allows. */
export const ATTEMPTS_MAX = 3;
export const QUEUE = 'orders';
export const JOB_NAME = 'place';

/** A queue as the workloads see it. It also counts, so that no figure comes from a queue that lost a job or ran one twice. */
export interface ComparedQueue extends Peer {
  /** Of the packages that it is made of. */
  readonly version: string;
  counts(): Promise<JobCounts>;
  /** What it takes on disk; a server writes out first what it holds back. */
  diskBytes(): Promise<number>;
}

export interface JobCounts {
  readonly unfinished: number;
  /** Out of attempts. */
  readonly failed: number;
}

/** Where a run may open its queue: empty, and nobody else's. */
export interface Place {
  readonly directory: string;
  readonly server?: ServerAddress;
}

export interface ServerAddress {
  /** Absent for a server that somebody else started. */
  readonly pid?: number;
  readonly port: number;
  /** Of a database of this run's own, where there are databases. */
  readonly url?: string;
  /** Where it keeps its files. */
  readonly directory?: string;
}

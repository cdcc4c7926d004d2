/**
 * What one store tells another one that takes its place: docs/moving-stores.md. Not for applications: it shows jobs as stores keep them, and
 * changes with the inside of the stores.
 */
import { HoldfastError } from './errors.js';
import type { Attempt, Backoff, Enqueued, JobHeaders, JobState, OperatorAct, Payload } from './job.js';
import type { QueuePause } from './job-store.js';

/** Who a store is, and how far it has counted. */
export interface StoreIdentity {
  /** 16 bytes in hexadecimal digits. */
  readonly storeId: string;
  /** All job numbers that it gave out are lower. */
  readonly nextNumber: number;
  readonly nextToken: number;
  /** The same of the places in the order of ends. */
  readonly nextEnd: number;
  /** No job that comes without a delay ranks before it. */
  readonly rankFloorMs: number;
}

/** All that a store knows of one job, with numbers for its ids and tokens. */
export interface WholeJob {
  readonly number: number;
  readonly queue: string;
  readonly name: string;
  readonly state: JobState;
  readonly priority: number;
  readonly attempts: number;
  readonly maxAttempts: number | null;
  readonly backoff: Backoff;
  readonly payload: Payload;
  readonly timeoutMs?: number;
  readonly headers?: JobHeaders;
  readonly enqueuedAtMs: number;
  readonly runAtMs: number;
  readonly updatedAtMs: number;
  /** The second part of its rank, of a job that may be claimed (again). */
  readonly rankAtMs?: number;
  /** Present while it can expire. */
  readonly expiresAtMs?: number;
  readonly dedupe?: WholeKey;
  /** Of a leased job. */
  readonly lease?: {
    readonly token: number;
    readonly worker: string;
    readonly leasedAtMs: number;
    readonly leaseMs: number;
  };
  /** Of a job that came to its end. */
  readonly end?: WholeEnd;
  readonly clonedFrom?: number;
  /** Oldest first, with the one that runs or that completed the job. */
  readonly attemptLog: readonly WholeAttempt[];
  /** Oldest first. */
  readonly acts: readonly OperatorAct[];
  /** Older attempts or acts are not kept. */
  readonly historyCut: boolean;
}

export interface WholeKey {
  readonly key: string;
  /** Present where the job takes the key: how long at least, 0 for as long as it is live. */
  readonly takenUntilMs?: number;
}

export interface WholeEnd {
  /** Its place in the order of ends. */
  readonly order: number;
  /** That completed it. */
  readonly token?: number;
  readonly result?: Payload;
  /** Why it is cancelled. */
  readonly cancelCause?: 'operator' | 'expired' | 'handler';
}

export type WholeAttempt = Attempt & { readonly token: number };

/** A queue that ever held a job or was paused. */
export interface MovedQueue {
  readonly name: string;
  readonly pause?: QueuePause;
}

/** A key that a job takes which is forgotten. */
export interface MovedKey {
  readonly queue: string;
  readonly key: string;
  readonly number: number;
  readonly untilMs: number;
}

/** An enqueue under a request id, and its answer. The ids in it are those of the store. */
export interface MovedRequest {
  readonly id: string;
  readonly fingerprint: string;
  readonly atMs: number;
  readonly answers: readonly Enqueued[];
}

/** Jobs by queue and state. */
export type JobCounts = ReadonlyMap<string, Readonly<Record<JobState, number>>>;

/** A store that is read as it was at one moment. */
export interface StoreContents {
  readonly identity: StoreIdentity;
  /** Counted apart from `jobs`. */
  counts(): Promise<JobCounts>;
  queues(): Promise<readonly MovedQueue[]>;
  /** Anew from the first one with each call, by their numbers. */
  jobs(): AsyncIterable<readonly WholeJob[]>;
  keys(): AsyncIterable<readonly MovedKey[]>;
  requests(): AsyncIterable<readonly MovedRequest[]>;
  /** Asked when all is copied, before that counts. @throws MoveRefusedError if somebody has worked with the store meanwhile */
  requireUnchanged(): Promise<void>;
}

/** A store that can be read whole, and that can take the place of another one. */
export interface MovableStore {
  /** For messages: without a password. */
  readonly location: string;
  /** The same text for two names of one store, as two spellings of a URL are. */
  place(): Promise<string>;
  /** Its id; `undefined` where there is none yet, or it never held anything. */
  storeId(): Promise<string | undefined>;
  /** @throws MoveRefusedError while somebody works with it */
  readWhole<Answer>(read: (contents: StoreContents) => Promise<Answer>): Promise<Answer>;
  /**
   * Becomes the other store, as a whole or not at all. `check` looks at all that was written before it counts; where it throws, nothing is kept.
   * @throws MoveRefusedError where anything is in it, or somebody has it open
   */
  take<Answer>(contents: StoreContents, check: (copy: StoreContents) => Promise<Answer>): Promise<Answer>;
  close(): Promise<void>;
}

/** A store cannot be moved, or not to there, as it is. Nothing was changed. */
export class MoveRefusedError extends HoldfastError {
  readonly location: string;
  /** The end of a sentence that begins with the location. */
  readonly problem: string;
  readonly nextStep: string;

  constructor(location: string, problem: string, nextStep: string) {
    super('MOVE_REFUSED', 'rejected', `${location} ${problem}. ${nextStep}`);
    this.location = location;
    this.problem = problem;
    this.nextStep = nextStep;
  }
}

/** A store that had answered could not be reached any more while it was moved. */
export class MoveInterruptedError extends HoldfastError {
  readonly location: string;
  /** What it, or the way to it, said last: a sentence. */
  readonly detail: string;
  readonly nextStep = 'Move again once it answers: what was not finished is not there, and what was finished is found.';

  constructor(location: string, detail: string, options?: { cause?: unknown }) {
    super('MOVE_INTERRUPTED', 'unknown', `${location} was lost while it was moved. ${detail}`, options);
    this.location = location;
    this.detail = detail;
  }
}

import type {
  Enqueued,
  JobDetail,
  JobError,
  JobId,
  JobRow,
  JobState,
  LeasedJob,
  LeaseToken,
  NewJob,
  Payload,
} from './job.js';
import type { StorageReport, StoreHealth, StoreMetrics } from './store-report.js';

/**
 * What every store of jobs promises, whatever keeps the bytes. `enqueue` answers after the jobs are on stable
 * storage; a job is leased to one worker at a time; every call that settles a lease carries its token and a stale
 * token changes nothing. Durations cross this boundary, never wall-clock deadlines.
 *
 * Errors: a call that fails as a whole throws a `HoldfastError`. Its `outcome` says whether the call was `rejected`
 * (certainly not applied) or is `unknown` (may be applied; look, or rely on an idempotent handler). What concerns one
 * item of a batch is never thrown: it is that item's answer, in input order.
 */
export interface JobStore {
  readonly capabilities: StoreCapabilities;

  /**
   * Stores all jobs or none. Resolves after they are durable, in input order.
   * @throws InvalidJobError (rejected) before anything is written, naming the job's index and field.
   * @throws StoreClosedError (rejected), StoreFailedError (unknown).
   */
  enqueue(jobs: readonly NewJob[]): Promise<Enqueued[]>;

  /**
   * Leases up to `limit` ready jobs of the queues, first those of smaller priority number, then those due earlier,
   * then in order of enqueue. With `waitMs` and nothing ready it waits that long for a first job; it answers `[]` when
   * none came or `signal` aborted. Every job handed out counts as an attempt, also if this process dies with it.
   */
  claim(request: ClaimRequest): Promise<LeasedJob[]>;

  /** Completes leased jobs. A lost ack re-runs the job: see the promise of the store for when an ack is durable. */
  ack(items: readonly AckItem[]): Promise<SettleAnswer[]>;

  /** Ends attempts as failed: retried with the job's backoff, retried at a chosen time, or dead at once. */
  fail(items: readonly FailItem[]): Promise<SettleAnswer[]>;

  /** Hands jobs back unfinished; the attempt is not counted. Without `delayMs` they are claimable at once. */
  release(items: readonly ReleaseItem[]): Promise<SettleAnswer[]>;

  /** Makes leases last `leaseMs` from now. */
  extend(items: readonly ExtendItem[]): Promise<SettleAnswer[]>;

  /** Every queue that ever held a job, by name. */
  queues(): Promise<QueueSummary[]>;

  /** One job with its payload and history, or `undefined` if the store does not know it (any more). */
  job(id: JobId): Promise<JobDetail | undefined>;

  /** Jobs by filter, newest first, a page at a time; neither skips nor repeats jobs that did not change between pages. */
  browse(filter: JobFilter, page: PageRequest): Promise<Page<JobRow>>;

  /** Dead jobs become ready again with their attempts at 0. The act is recorded with its actor. */
  redrive(selection: Selection, by: ActedBy): Promise<ActOutcome>;

  /** Live leases, those that end first at the head. At most `limit`. */
  leases(limit: number): Promise<LeaseRow[]>;

  /** Leases that expired, the latest first: the last 200 of this store's run. */
  leaseExpiries(): Promise<LeaseExpiry[]>;

  metrics(): Promise<StoreMetrics>;

  /** What the bytes are kept in, and what the last recovery found. */
  storage(): Promise<StorageReport>;

  /** Answered without the engine, so that it can say that the engine is gone. */
  health(): StoreHealth;

  /**
   * Settles what is pending, makes everything durable and lets go of the storage. Calls after it are rejected with
   * StoreClosedError. Idempotent; always ends.
   */
  close(): Promise<void>;
}

export interface StoreCapabilities {
  /** `log`, `memory`, `postgres`, … */
  readonly kind: string;
  readonly payloadBytesMax: number;
  /** Most jobs in one enqueue. */
  readonly enqueueJobsMax: number;
  /** Most jobs in one claim. */
  readonly claimJobsMax: number;
}

/** Says who works: shown to operators beside the job. */
export type WorkerName = string;

export interface ClaimRequest {
  readonly queues: readonly string[];
  /** Only jobs of these names; without it, all names. */
  readonly names?: readonly string[];
  readonly limit: number;
  readonly leaseMs: number;
  /** 0 or absent: answer at once. */
  readonly waitMs?: number;
  readonly worker: WorkerName;
  /** Aborting ends the wait. Jobs that were already leased to this call are then handed back uncounted. */
  readonly signal?: AbortSignal;
}

/** The lease that a settling call speaks of. */
export interface LeaseRef {
  readonly id: JobId;
  readonly token: LeaseToken;
}

export interface AckItem extends LeaseRef {
  readonly result?: Payload;
}

export interface FailItem extends LeaseRef {
  readonly error: JobError;
  readonly then: 'backoff' | 'dead' | { readonly retryInMs: number };
}

export interface ReleaseItem extends LeaseRef {
  readonly delayMs?: number;
}

export interface ExtendItem extends LeaseRef {
  readonly leaseMs: number;
}

/**
 * `ok`: done. `stale`: the job is not leased under this token (any more); nothing changed. An ack of a job that this very
 * token completed is `ok` again. `missing`: the store does not know the job.
 */
export type SettleAnswer = 'ok' | 'stale' | 'missing';

export interface QueueSummary {
  readonly name: string;
  readonly counts: Readonly<Record<JobState, number>>;
  /** Of the scheduled ones: those that failed before. */
  readonly retrying: number;
  /** Since when the longest-waiting ready job could have started; absent when none is ready. */
  readonly oldestReadyAtMs?: number;
  /** Jobs an interval, oldest first, from `throughput.fromMs` in steps of `throughput.stepMs`. */
  readonly throughput: QueueThroughput;
}

export interface QueueThroughput {
  readonly fromMs: number;
  readonly stepMs: number;
  readonly enqueued: readonly number[];
  readonly completed: readonly number[];
  /** Attempts that failed, expired or were cut off by the end of a process. */
  readonly failed: readonly number[];
}

export interface JobFilter {
  readonly state?: JobState;
  readonly queue?: string;
  readonly name?: string;
}

export interface PageRequest {
  /** 1 to 200. */
  readonly limit: number;
  /** From a former page. */
  readonly cursor?: string;
}

export interface Page<Row> {
  readonly rows: readonly Row[];
  /** Absent on the last page. */
  readonly next?: string;
  /** How many match in all: exact, or at least that many. */
  readonly total: { readonly value: number; readonly relation: 'exact' | 'atLeast' };
}

/** Jobs by name, or all dead jobs (of a queue) as of now. */
export type Selection = { readonly ids: readonly JobId[] } | { readonly allDead: { readonly queue?: string } };

export interface ActedBy {
  readonly actor: string;
  readonly reason?: string;
}

/** `matched` = `done` + all of `skipped`; a job that is not in a fitting state is skipped and counted under its state. */
export interface ActOutcome {
  readonly matched: number;
  readonly done: number;
  readonly skipped: Readonly<Partial<Record<JobState | 'missing', number>>>;
}

export interface LeaseRow {
  readonly id: JobId;
  readonly queue: string;
  readonly name: string;
  readonly worker: WorkerName;
  readonly attempt: number;
  readonly maxAttempts: number | null;
  readonly token: LeaseToken;
  readonly leasedAtMs: number;
  readonly leaseMs: number;
  /** Until the lease ends, from the moment of the answer; negative when it is overdue. */
  readonly remainingMs: number;
  readonly extensions: number;
}

export interface LeaseExpiry {
  readonly id: JobId;
  readonly queue: string;
  readonly name: string;
  readonly worker: WorkerName;
  readonly attempt: number;
  readonly atMs: number;
  /** How long after its deadline the lease was ended. */
  readonly lateMs: number;
  readonly then: 'scheduled' | 'dead';
}

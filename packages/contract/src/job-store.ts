import type { DeadGroupFilter, DeadGroupPage } from './dead-group.js';
import type { HistogramSeries, HistogramsRequest } from './histograms.js';
import type {
  Enqueued,
  JobDetail,
  JobError,
  JobId,
  JobRow,
  JobState,
  LeasedJob,
  LeaseToken,
  LogLine,
  NewJob,
  Payload,
} from './job.js';
import type {
  ActedBy,
  ActOutcome,
  JobFilter,
  Page,
  PageRequest,
  PlanRequest,
  Selection,
  SelectionPlan,
} from './job-selection.js';
import type { EventsRequest, StoreEvent } from './store-event.js';
import type { StorageReport, StoreHealth, StoreMetrics } from './store-report.js';
import type { WorkerSummary } from './worker-summary.js';

/**
 * What every store of jobs promises, whatever keeps the bytes. `enqueue` answers after the jobs are on stable
 * storage; a job is leased to one worker at a time; every call that settles a lease carries its token and a stale
 * token changes nothing. Durations cross this boundary, never wall-clock deadlines.
 *
 * Errors: a call that fails as a whole throws a `HoldfastError`. Its `outcome` says whether the call was `rejected`
 * (certainly not applied) or is `unknown` (may be applied; look, or rely on an idempotent handler). What concerns one
 * item of a batch is never thrown: it is that item's answer, in input order.
 *
 * @typeParam Transaction What `enqueue` takes as a transaction of the caller's: see EnqueueOptions.
 */
export interface JobStore<Transaction = never> {
  readonly capabilities: StoreCapabilities;

  /**
   * Stores all jobs or none. Resolves after they are durable, in input order.
   * @throws InvalidJobError (rejected) before anything is written, naming the job's index and field.
   * @throws RequestMismatchError (rejected) if the request id stands for other jobs.
   * @throws StoreFullError (rejected) while the disk has no room.
   * @throws StoreClosedError (rejected), StoreFailedError (unknown): safe to repeat if the call had a request id.
   */
  enqueue(jobs: readonly NewJob[], options?: EnqueueOptions<Transaction>): Promise<Enqueued[]>;

  /**
   * Leases up to `limit` ready jobs of the queues, first those of smaller priority number, then those due earlier,
   * then in order of enqueue. With `waitMs` and nothing ready it waits that long for a first job; it answers `[]` when
   * none came or `signal` aborted. Every job handed out counts as an attempt, also if this process dies with it.
   */
  claim(request: ClaimRequest): Promise<LeasedJob[]>;

  /** Completes leased jobs. A lost ack re-runs the job: see the promise of the store for when an ack is durable. */
  ack(items: readonly AckItem[], options?: AckOptions<Transaction>): Promise<SettleAnswer[]>;

  /** Ends attempts as failed: retried with the job's backoff, retried at a chosen time, dead at once, or cancelled. */
  fail(items: readonly FailItem[]): Promise<SettleAnswer[]>;

  /** Hands jobs back unfinished; the attempt is not counted. Without `delayMs` they are claimable at once. */
  release(items: readonly ReleaseItem[]): Promise<SettleAnswer[]>;

  /** Makes leases last `leaseMs` from now. */
  extend(items: readonly ExtendItem[]): Promise<SettleAnswer[]>;

  /**
   * Keeps what handlers tell while they work: their progress, and lines of a log (JobDetail.attemptLog). It is seen at once, and as
   * durable as an ack. Absent where a store keeps none.
   * @throws StoreFullError (rejected) while the disk has no room.
   */
  note?(items: readonly NoteItem[]): Promise<SettleAnswer[]>;

  /**
   * Every queue that ever held a job or was paused, by name; with `names` those of them alone, which costs no more than they do. Very many are
   * perhaps not all shown as of the same moment.
   */
  queues(names?: readonly string[]): Promise<QueueSummary[]>;

  /** One job with its payload and history, or `undefined` if the store does not know it (any more). */
  job(id: JobId): Promise<JobDetail | undefined>;

  /**
   * Jobs by filter, newest first, a page at a time; neither skips nor repeats jobs that did not change between pages. What counters do
   * not answer is searched, a bounded number of jobs for each page (`PageRequest.scanMax`), in slices between other calls.
   */
  browse(filter: JobFilter, page: PageRequest): Promise<Page<JobRow>>;

  /** Dead jobs by what killed them, without a look at each. Absent where a store does not know. */
  deadGroups?(filter: DeadGroupFilter, page: PageRequest): Promise<DeadGroupPage>;

  /**
   * Counts what an act on these jobs would meet, and names the moment for which that holds: `asOf`, for a `PlannedPiece`. A filter that
   * counters do not answer looks at `scanMax` jobs at most (default: all of them), in slices between other calls. Changes nothing.
   */
  plan?(jobs: PlanRequest, options?: { readonly scanMax?: number }): Promise<SelectionPlan>;

  /** Who claims jobs, as far as this store can tell, by name; at most 1,000. Absent where it cannot. */
  workers?(): Promise<WorkerSummary[]>;

  /*
   * Acts of operators: recorded with actor, reason and time (JobDetail.acts) and durable when they are answered. A large selection is
   * worked off in slices between other calls, so claims do not wait for it; it still has one answer. If the store
   * fails on the way (`unknown`), a part of the jobs may have been changed. Each job is changed as a whole or not at all.
   */

  /** Dead jobs become ready again with their attempts at 0, ranking as if they had been enqueued now. */
  redrive(selection: Selection, by: ActedBy): Promise<ActOutcome>;

  /**
   * Scheduled, ready and leased jobs are cancelled and will not run any more. The token of a leased one settles nothing from then on: its
   * worker learns of it at once (`onLeasesCancelled`) or with its next extension, which aborts the handler's signal, and a late ack is answered
   * `cancelled`.
   */
  cancel(selection: Selection, by: ActedBy): Promise<ActOutcome>;

  /**
   * Calls the listener with leases that `cancel` has ended, as soon as that is written: whoever runs these jobs can abort them at once. Only a
   * hint: a listener that misses it (it came late, the store was lost) learns the same from its next extension. Costs nothing while
   * nobody cancels, and does not keep the process alive. Absent where a store cannot tell.
   * @returns how to stop listening
   */
  onLeasesCancelled?(listener: (leases: readonly LeaseRef[]) => void): () => void;

  /** The store forgets jobs, whatever their state, unless they are leased (cancel those first). They cannot be brought back. */
  remove(selection: Selection, by: ActedBy): Promise<ActOutcome>;

  /** Scheduled jobs, also those that wait for a retry, are ready at once. */
  runNow(selection: Selection, by: ActedBy): Promise<ActOutcome>;

  /** Scheduled and ready jobs take another priority number, and their place among those that have it. */
  reprioritise(selection: Selection, priority: number, by: ActedBy): Promise<ActOutcome>;

  /**
   * Scheduled and ready jobs go to another queue, which need not exist before, and keep everything else: priority, place in the order, attempts,
   * history. A dedupe key is given up. One that is in that queue already is skipped, under its state. Absent where a store cannot.
   */
  transfer?(selection: Selection, queue: string, by: ActedBy): Promise<ActOutcome>;

  /**
   * Enqueues a new job that is like the one with this id, in whatever state that is, with another payload if one is given. It may start
   * at once, has all its attempts and no expiry, and names the other as `clonedFrom`; that one is not changed. Durable when
   * answered; `undefined` if the store does not know the job.
   */
  clone(id: JobId, by: ActedBy, changes?: { readonly payload?: Payload }): Promise<Enqueued | undefined>;

  /**
   * From now on no job of the queue is claimed; jobs that are leased go on. Durable when answered and valid across restarts, until
   * `resume` or until `forMs` have passed on the wall clock. A queue that never held a job can be paused. Pausing a paused queue
   * replaces end, actor and reason.
   */
  pause(queue: string, by: ActedBy, options?: PauseOptions): Promise<QueuePause>;

  /** Jobs of the queue are claimed again; waiting claims get them at once. Answers whether the queue was paused. */
  resume(queue: string, by: ActedBy): Promise<boolean>;

  /** Live leases, those that end first at the head. At most `limit`. */
  leases(limit: number): Promise<LeaseRow[]>;

  /** Leases that expired, the latest first: the last 200 of this store's run. */
  leaseExpiries(): Promise<LeaseExpiry[]>;

  /**
   * What happens in the store, from this call on or after a cursor, until the signal aborts or the store is closed; then the iteration
   * ends. Listening begins with this call, not with the first `next`.
   *
   * A store remembers the last 4,096 events, while somebody listens and for a minute after, and nothing without listeners. What was missed (the
   * listener was too slow, the store was opened anew, nobody listened) is told as a `gap`, never silently. Events tell
   * of what was decided and written; only `enqueued` of what is durable. An iteration keeps the process alive. Absent where a store cannot tell.
   * @throws CursorInvalidError, InvalidArgumentError, StoreClosedError at once
   */
  events?(request?: EventsRequest): AsyncIterable<StoreEvent>;

  metrics(): Promise<StoreMetrics>;

  /** One measure as mergeable histograms, oldest interval first. Since the store was opened. Absent where a store measures nothing. */
  histograms?(request: HistogramsRequest): Promise<HistogramSeries>;

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

/** @typeParam Transaction What a store takes as a transaction of the caller; `never` where it takes none, so that one does not compile. */
export interface EnqueueOptions<Transaction = never> {
  /**
   * Makes the call safe to repeat, also by another process and after a crash: a call with the same id and the same jobs stores nothing
   * and is answered as the first one was. An id stands for its jobs for 24 hours, but only the last 100,000 calls with an id, of a million jobs
   * together, are remembered. At most 200 bytes; a random UUID is a good one.
   */
  readonly requestId?: string;
  /**
   * Stores the jobs in a transaction of the caller's, in the store's own database: if it is rolled back there were never any jobs, and
   * nobody can claim one before it is committed. The answer is then provisional, and durable with the commit. Stores that share no
   * database with the caller refuse it.
   */
  readonly transaction?: Transaction;
}

/** @typeParam Transaction As of EnqueueOptions. */
export interface AckOptions<Transaction = never> {
  /**
   * Completes the jobs in a transaction of the caller's, in the store's own database: what a handler writes there and that its job is done are
   * one. The answers are provisional until the commit. Where one is not `ok` the caller rolls back: somebody else has the job.
   */
  readonly transaction?: Transaction;
}

export interface StoreCapabilities {
  /** `log`, `memory`, `postgres`, … */
  readonly kind: string;
  readonly payloadBytesMax: number;
  /** Most jobs in one enqueue. */
  readonly enqueueJobsMax: number;
  /** Most jobs in one claim. */
  readonly claimJobsMax: number;
  /** Present in a store that only shows jobs: every call that would change something is rejected with StoreReadOnlyError. */
  readonly readOnly?: StoreReadOnly;
}

/** That a store only shows jobs. Of which moment says `StoreHealth.asOfMs`. */
export interface StoreReadOnly {
  /** A sentence or two for people: why, and where to act instead. */
  readonly because: string;
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
  /**
   * `backoff` and `retryInMs`: another attempt, unless this was the last one. `dead`: no further one can help. `cancel`: the handler found
   * that the job is not needed any more; the error says why.
   */
  readonly then: 'backoff' | 'dead' | 'cancel' | { readonly retryInMs: number };
}

export interface ReleaseItem extends LeaseRef {
  readonly delayMs?: number;
}

export interface ExtendItem extends LeaseRef {
  readonly leaseMs: number;
}

/** What is new since the last note of this lease. */
export interface NoteItem extends LeaseRef {
  /** JSON of at most 1 KiB. It takes the place of what was told before. */
  readonly progress?: string;
  /** Oldest first. Where they are too many, the last ones are kept. */
  readonly lines?: readonly LogLine[];
  /** So many more lines came before these, and were not sent because they were too many. */
  readonly droppedLines?: number;
}

/**
 * `ok`: done. `stale`: the job is not leased under this token (any more); nothing changed. An ack of a job that this very
 * token completed is `ok` again. `cancelled`: nothing changed either, and the reason is that the job was cancelled. `missing`: the
 * store does not know the job.
 */
export type SettleAnswer = 'ok' | 'stale' | 'cancelled' | 'missing';

export interface QueueSummary {
  readonly name: string;
  readonly counts: Readonly<Record<JobState, number>>;
  /** Of the scheduled ones: those that failed before. */
  readonly retrying: number;
  /** Since when the longest-waiting ready job could have started; absent when none is ready. */
  readonly oldestReadyAtMs?: number;
  /** Jobs an interval, oldest first, from `throughput.fromMs` in steps of `throughput.stepMs`. */
  readonly throughput: QueueThroughput;
  /** Present while no job of the queue is claimed. */
  readonly paused?: QueuePause;
}

export interface PauseOptions {
  /** The pause ends by itself after this many milliseconds. Without it, it lasts until `resume`. */
  readonly forMs?: number;
}

/** That a queue is paused, since when, by whom, and why. */
export interface QueuePause {
  /** When the queue was paused first; pausing it again does not change that. */
  readonly sinceMs: number;
  /** When it ends by itself; absent where it does not. */
  readonly untilMs?: number;
  readonly actor: string;
  readonly reason?: string;
}

export interface QueueThroughput {
  readonly fromMs: number;
  readonly stepMs: number;
  readonly enqueued: readonly number[];
  readonly completed: readonly number[];
  /** Attempts that failed, expired or were cut off by the end of a process. */
  readonly failed: readonly number[];
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
  /** What the handler last told, as JSON. */
  readonly progress?: string;
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

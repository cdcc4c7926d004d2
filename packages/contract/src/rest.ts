/**
 * What the admin controller and the dashboard say to each other, under `<mount>/api/v1`. JSON; ids and sequence numbers
 * are strings, times are epoch milliseconds. docs/admin-api.md describes every route that is served; a shape whose route is
 * not there is not served yet.
 */

import type { CancelledRun } from './cancelled-run.js';
import type { DeadGroup, DeadGroupFilter } from './dead-group.js';
import type { HistogramName, HistogramPoint } from './histograms.js';
import type { JobDetail, JobId, JobRow, JobState } from './job.js';
import type { ActOutcome, JobFilter, PageScan, SelectionPlan, Total } from './job-selection.js';
import type { LeaseExpiry, LeaseRow, QueuePause, QueueSummary, StoreReadOnly } from './job-store.js';
import type { AttentionItem } from './rest-attention.js';
import type { BulkOperation, BulkTarget } from './rest-bulk.js';
import type { WhyReason } from './rest-why.js';
import type { StorageReport, StoreHealth, StoreMetrics } from './store-report.js';
import type { WorkerSummary } from './worker-summary.js';

/** What a person may do: look; look and mend; everything. Each role holds the ones before it. */
export type AdminRole = 'viewer' | 'operator' | 'admin';

/** Every answer carries the server's clock, so that ages and countdowns do not depend on the browser's. */
export interface ServerTime {
  readonly serverTimeMs: number;
}

/** GET meta */
export interface MetaAnswer extends ServerTime {
  readonly version: string;
  readonly role: AdminRole;
  readonly actor: string;
  /** Shown as a badge, so that nobody takes production for a playground. */
  readonly environment?: { readonly label: string; readonly tone: 'neutral' | 'caution' | 'danger' };
  /** What this server and its store can do; a control for what is false or absent is shown disabled. */
  readonly features?: {
    readonly search: boolean;
    readonly deadGroups: boolean;
    readonly bulk: boolean;
    readonly activity: boolean;
    readonly workers: boolean;
    readonly latency: boolean;
    readonly events: boolean;
    /** Edit and retry: off unless the application allows it. */
    readonly clone: boolean;
    /** To another queue. */
    readonly transfer?: boolean;
  };
  /** Present where the store only shows jobs: every act is refused. */
  readonly readOnly?: StoreReadOnly;
  /** How long a bulk removal waits before it begins, and can be aborted with nothing lost. */
  readonly undoWindowMs?: number;
}

/** Jobs a second over the last whole minute. */
export interface QueueRates {
  readonly enqueuedPerSecond: number;
  readonly completedPerSecond: number;
  readonly failedPerSecond: number;
}

/** GET overview */
export interface OverviewAnswer extends ServerTime {
  readonly health: StoreHealth;
  readonly queues: readonly (QueueSummary & { readonly rates?: QueueRates })[];
  /** All queues together. */
  readonly totals?: {
    readonly counts: Readonly<Record<JobState, number>>;
    readonly retrying: number;
    readonly rates: QueueRates;
  };
}

/** GET jobs: `JobFilter` with its payload field as `payloadPath` and `payloadValue`. */
export interface JobsQuery extends Omit<JobFilter, 'payload'> {
  readonly payloadPath?: string;
  readonly payloadValue?: string;
  /** Enqueued at least so long ago, by the server's clock. */
  readonly olderThanMs?: number;
  readonly limit?: number;
  readonly cursor?: string;
  readonly scanMax?: number;
}

export interface JobsAnswer extends ServerTime {
  readonly rows: readonly JobRow[];
  readonly next?: string;
  readonly total: Total;
  /** Present where the filter asks for more than state, queue and name: how far this page has looked. */
  readonly scan?: PageScan;
}

/** A payload or result as text: as it is, or base64 of its bytes. */
export interface PayloadText {
  readonly encoding: 'text' | 'base64';
  readonly text: string;
  /** Of the whole payload; `text` holds less when `truncated`. */
  readonly bytes: number;
  readonly truncated: boolean;
  /** Something in it was replaced by `[redacted]`. */
  readonly redacted?: boolean;
}

/** GET jobs/:id. The whole payload, as a file: GET jobs/:id/payload; the result: GET jobs/:id/result. */
export interface JobAnswer extends ServerTime {
  readonly job: Omit<JobDetail, 'payload' | 'result'> & {
    readonly payload: PayloadText;
    readonly result?: PayloadText;
  };
  /** Why it is not running, or what keeps it so: the most important reason first. Empty for a job that is over. */
  readonly why?: readonly WhyReason[];
  /** Present on jobs that an operator cancelled while they ran. */
  readonly cancelledRun?: CancelledRun;
}

/** GET dead/groups?queue&name&errorClass&text&firstDeadFromMs&limit&cursor */
export interface DeadGroupsQuery extends DeadGroupFilter {
  readonly limit?: number;
  readonly cursor?: string;
}

export interface DeadGroupsAnswer extends ServerTime {
  readonly groups: readonly DeadGroup[];
  readonly next?: string;
  readonly total: Total;
}

/** GET attention: the worst first */
export interface AttentionAnswer extends ServerTime {
  readonly items: readonly AttentionItem[];
  /** How many there are, also those that are not listed. */
  readonly total: number;
}

/** GET leases */
export interface LeasesAnswer extends ServerTime {
  readonly leases: readonly LeaseRow[];
  readonly expiries: readonly LeaseExpiry[];
}

/** GET workers */
export interface WorkersAnswer extends ServerTime {
  readonly workers: readonly WorkerSummary[];
}

/** GET storage */
export interface StorageAnswer extends ServerTime {
  readonly health: StoreHealth;
  readonly report: StorageReport;
  readonly metrics: StoreMetrics;
}

/** GET latency?measure&stepMs&fromMs. `histogramPercentile` and `histogramBucketRange` of `@holdfast/contract/rules` read the points. */
export interface LatencyQuery {
  readonly measure: HistogramName;
  /** 1000, 10000 or 60000. */
  readonly stepMs: number;
  readonly fromMs?: number;
}

export interface LatencyAnswer extends ServerTime {
  readonly measure: HistogramName;
  readonly unit: 'microseconds' | 'records' | 'bytes';
  readonly stepMs: number;
  /** Oldest first. A missing interval means no data, not zero. */
  readonly points: readonly HistogramPoint[];
}

/** POST redrives: jobs by id, or all dead ones (of one queue). Needs the role operator. */
export type RedrivesBody =
  | { readonly ids: readonly JobId[]; readonly reason?: string }
  | { readonly allDead: { readonly queue?: string }; readonly reason?: string };

export interface RedrivesAnswer extends ServerTime {
  readonly outcome: ActOutcome;
}

/** POST jobs/:id/acts/redrive, runNow, cancel (operator), remove (admin) */
export interface JobActBody {
  readonly reason?: string;
}

/** POST jobs/:id/acts/transfer (operator): to another queue */
export interface TransferBody extends JobActBody {
  readonly queue: string;
}

/** POST jobs/:id/acts/reprioritise (operator) */
export interface ReprioritiseBody extends JobActBody {
  readonly priority: number;
}

/** The job as it is after the act; absent once it is removed. A state that refuses the act is 409 `JOB_STATE`. */
export interface JobActAnswer extends ServerTime {
  readonly job?: JobRow;
}

/** POST jobs/:id/acts/clone (admin, and only where the application allows it) */
export interface CloneBody extends JobActBody {
  /** Text of the new payload; without it, that of the job. */
  readonly payload?: string;
  /**
   * Makes the call safe to repeat: another one of the same person with the same id, for the same job with the same payload and reason, is
   * answered with the copy that the first one has made. 1 to 200 characters; a random UUID is a good one.
   */
  readonly requestId?: string;
}

export interface CloneAnswer extends ServerTime {
  readonly id: JobId;
}

/** POST queues/pause (operator) */
export interface QueuePauseBody {
  readonly queue: string;
  readonly forMs?: number;
  readonly reason?: string;
}

export interface QueuePauseAnswer extends ServerTime {
  readonly paused: QueuePause;
}

/** POST queues/resume (operator) */
export interface QueueResumeBody {
  readonly queue: string;
  readonly reason?: string;
}

export interface QueueResumeAnswer extends ServerTime {
  /** Whether it was paused. */
  readonly resumed: boolean;
}

/** POST bulk/plans (viewer: it changes nothing) */
export type BulkPlanBody = BulkTarget;

export interface BulkPlanAnswer extends ServerTime {
  /** For POST bulk/operations. Opaque, and as good as the plan itself: it needs no memory of the server. */
  readonly planId: string;
  readonly plan: Omit<SelectionPlan, 'asOf'> & {
    /** Jobs in a state that allows the act. */
    readonly eligible: number;
    readonly ineligible: Readonly<Partial<Record<JobState | 'missing', number>>>;
    readonly asOfMs: number;
    /** The plan is refused after this time. */
    readonly expiresAtMs: number;
  };
}

/** POST bulk/operations (operator; admin for `remove`): 202 */
export interface BulkOperationBody {
  readonly planId: string;
  /** Jobs a second, 1 to 10,000. Default 50. */
  readonly ratePerSecond?: number;
  /** Needed for `remove`. */
  readonly reason?: string;
  /**
   * Makes the call safe to repeat: another one of the same person with the same id begins nothing and is answered with the operation that the
   * first one has begun. 1 to 200 characters; a random UUID is a good one.
   */
  readonly requestId?: string;
}

/** Also GET bulk/operations/:id, and POST bulk/operations/:id/pause, resume, abort. */
export interface BulkOperationAnswer extends ServerTime {
  readonly operation: BulkOperation;
}

/** GET bulk/operations, newest first */
export interface BulkOperationsAnswer extends ServerTime {
  readonly operations: readonly BulkOperation[];
}

/** One act of an operator. */
export interface ActivityEntry {
  readonly id: string;
  readonly atMs: number;
  readonly actor: string;
  readonly role: AdminRole;
  readonly act: string;
  /** What it was done to. */
  readonly target: {
    readonly ids?: readonly JobId[];
    /** How many ids there were, where not all are listed. */
    readonly idsCount?: number;
    readonly filter?: JobFilter;
    readonly queue?: string;
    readonly operation?: string;
    /** Where jobs went that were taken to another queue. */
    readonly toQueue?: string;
  };
  readonly reason?: string;
  /** `begun`: it is under way, or its server ended before it could say more. */
  readonly status: 'begun' | 'done' | 'failed';
  readonly outcome?: ActOutcome;
  /** The job that a clone has made. */
  readonly cloned?: JobId;
  /** Code of the error that it failed with. */
  readonly error?: string;
  /** It failed, but may have been done all the same: the store could not say. */
  readonly uncertain?: boolean;
}

/** GET activity?limit&cursor, newest first */
export interface ActivityAnswer extends ServerTime {
  readonly entries: readonly ActivityEntry[];
  readonly next?: string;
  /** Entries are kept for so long, and so many at most. */
  readonly kept: { readonly ageMs: number; readonly count: number };
}

/**
 * GET events: server-sent events, each with an `id` for `Last-Event-ID`. `hello` comes first; `resync` where something was missed: fetch
 * anew what is shown. `counts` at most once a second and only where they changed.
 */
export type ServerSentEvent =
  | { readonly event: 'hello'; readonly data: ServerTime & { readonly resumed: boolean } }
  | { readonly event: 'resync'; readonly data: ServerTime }
  | { readonly event: 'counts'; readonly data: OverviewAnswer }
  | { readonly event: 'operation'; readonly data: BulkOperationAnswer };

/** Every error answer: RFC 9457 problem details, with a stable code and an id that is in the server's log too. */
export interface Problem {
  readonly type: string;
  readonly title: string;
  readonly status: number;
  readonly detail: string;
  readonly code: string;
  readonly requestId: string;
  /** The query parameter or body field that was refused, such as `limit` or `ids.3`; present on 400 where there is one. */
  readonly field?: string;
  /** Present on 429: when to try again. */
  readonly retryAfterMs?: number;
}

import type {
  ActedBy,
  ActOutcome,
  DeadGroupFilter,
  DeadGroupPage,
  HistogramSeries,
  HistogramsRequest,
  JobDetail,
  JobError,
  JobFilter,
  JobId,
  JobRow,
  LeaseExpiry,
  LeaseRow,
  Page,
  PageRequest,
  QueuePause,
  Selection,
  SnapshotReport,
  StorageReport,
  StoreMetrics,
  WorkerSummary,
} from '@holdfast/contract';
import type { CheckedNote, EventsPage } from '@holdfast/contract/rules';
import type {
  CloneAnswer,
  EngineClaim,
  EngineClone,
  EngineEvents,
  EngineFail,
  EngineJobs,
  EnginePause,
  EnginePlan,
  EngineRequest,
  EnqueueAnswer,
  JobAct,
  JobExtras,
  PayloadColumn,
  PlanPart,
  ShapeColumn,
} from '../engine/engine-calls.js';
import type { QueuesPart } from './queues-part.js';

/**
 * Everything that is asked of an engine of jobs through a port. Calls that come by the thousand are merged: one call
 * here stands for all calls of its kind that the application made in one turn, and its answer has an entry for each item, in order.
 * Ids and tokens are numbers, as in the engine; 0 stands for a text that is no id or token of this store.
 */
export type JobCalls = {
  enqueue: { args: EnqueueBatch; answer: EnqueuedBatch };
  claim: { args: EngineClaim; answer: ClaimedBatch | undefined };
  ack: { args: AckBatch; answer: SettledBatch };
  fail: { args: FailBatch; answer: SettledBatch };
  release: { args: ReleaseBatch; answer: SettledBatch };
  extend: { args: ExtendBatch; answer: SettledBatch };
  note: { args: NoteBatch; answer: SettledBatch };
  act: { args: { readonly act: JobAct; readonly selection: Selection; readonly by: ActedBy }; answer: ActOutcome };
  clone: { args: EngineClone; answer: CloneAnswer };
  pause: { args: EnginePause; answer: QueuePause };
  resume: { args: Omit<EnginePause, 'forMs'>; answer: boolean };
  /** By name, those behind `after` (none is before ''), at most `limit`: a store may have more than one message should carry. */
  queues: { args: { readonly after: string; readonly limit: number }; answer: QueuesPart };
  /** Those of these names that there are, in the order of the names. */
  namedQueues: { args: { readonly names: readonly string[] }; answer: QueuesPart };
  job: { args: { readonly id: JobId }; answer: JobDetail | undefined };
  browse: { args: { readonly filter: JobFilter; readonly page: PageRequest }; answer: Page<JobRow> };
  plan: { args: EnginePlan; answer: PlanPart };
  deadGroups: { args: { readonly filter: DeadGroupFilter; readonly page: PageRequest }; answer: DeadGroupPage };
  workers: { args: undefined; answer: WorkerSummary[] };
  leases: { args: { readonly limit: number }; answer: LeaseRow[] };
  leaseExpiries: { args: undefined; answer: LeaseExpiry[] };
  metrics: { args: undefined; answer: StoreMetrics };
  histograms: { args: HistogramsRequest; answer: HistogramSeries };
  storage: { args: undefined; answer: StorageReport };
  events: { args: EngineEvents; answer: EventsPage };
  snapshot: { args: { readonly directory: string }; answer: SnapshotReport };
  /** Waiting claims are answered empty, leases are handed back uncounted, all is made durable. The last answer. */
  close: { args: undefined; answer: undefined };
};

/** What the client is told without having asked. */
export type EngineNotice =
  /** Why no new jobs are taken from now on; `undefined` when they are. */
  | { readonly full: string | undefined }
  /** Leases that an operator's cancel has ended. */
  | { readonly cancelled: LeaseColumns };

/** What the client is told when the engine is ready. */
export interface EngineGreeting {
  readonly storeTag: string;
}

export interface EnqueueBatch extends EngineJobs {
  /** Makes the jobs those of one call, which may be a repeated one. */
  readonly request?: EngineRequest;
}

/** Ids count up from the first, unless `each` is there: then that says everything. */
export interface EnqueuedBatch {
  readonly firstId: number;
  /** 1 where the job is scheduled; absent when all are ready. */
  readonly scheduled?: Uint8Array;
  readonly each?: EnqueueAnswer['each'];
}

/** Jobs handed to one claim; a claim that got none is answered `undefined`. */
export interface ClaimedBatch {
  /** Monotonic time of the engine's clock when it answered; clocks of the threads of one process agree. */
  readonly answeredAtMs: number;
  readonly ids: Float64Array;
  readonly tokens: Float64Array;
  readonly enqueuedAtsMs: Float64Array;
  readonly attempts: Uint32Array;
  /** By place; absent, or shorter than there are jobs, where the others have none. */
  readonly extras?: readonly (JobExtras | undefined)[];
  readonly shapes: ShapeColumn;
  readonly payloads: PayloadColumn;
}

export interface LeaseColumns {
  readonly ids: Float64Array;
  readonly tokens: Float64Array;
}

export interface AckBatch extends LeaseColumns {
  /** Absent when no ack has a result. */
  readonly results?: PayloadColumn;
}

export interface FailBatch extends LeaseColumns {
  readonly errors: readonly JobError[];
  readonly thens: readonly EngineFail['then'][];
}

export interface ReleaseBatch extends LeaseColumns {
  /** Milliseconds; absent when all are claimable at once. */
  readonly delaysMs?: Float64Array;
}

export interface ExtendBatch extends LeaseColumns {
  readonly leasesMs: Float64Array;
}

export interface NoteBatch extends LeaseColumns {
  readonly notes: readonly CheckedNote[];
}

/** SETTLE_ANSWERS has what the codes mean; absent when all are `ok`. */
export interface SettledBatch {
  readonly codes?: Uint8Array;
}

import type { JobState } from '@holdfast/contract';
import type { Count } from './counts.js';
import type { RowOfDetail, RowOfExpiry, RowOfJob, RowOfLease } from './job-rows.js';
import type { PauseRow, QueueRow } from './queue-rows.js';

/**
 * Everything that the store asks of its database, by name: what goes with it, and what a row of the answer is. Each is one step that happens as a whole or
 * not at all, at one moment of the database's clock. How, every database says for itself: in one statement, or in several of one transaction.
 */
export interface Statements {
  /** Stores jobs and answers them in order, with growing numbers. */
  enqueue: Asked<[jobs: readonly NewJobRow[]], PlacedRow>;
  /** The same for jobs of which some take keys. The keys are locked. */
  enqueueKeyed: Asked<[jobs: readonly NewJobRow[]], PlacedRow>;
  /** A waiting job becomes another one under its number. Nothing is answered if it is not waiting any more. */
  replace: Asked<[jobs: readonly [NewJobRow], number: number], PlacedRow>;
  /** A copy of a job; with a payload of its own where a size is given. */
  clone: Asked<
    [
      number: number,
      payloadText: string | null,
      payloadBytes: Uint8Array | null,
      payloadSize: number | null,
      actor: string,
      reason: string | null,
    ],
    ActedRow
  >;
  /** Locks names of one kind until the end of the transaction, in an order that all share. */
  lockNames: Asked<[kind: NameKind, names: readonly string[]], object>;
  /** Live jobs that take these keys, by number, and where they are. */
  keyHolders: Asked<[keys: readonly KeyRow[]], HolderRow>;
  /** Completed jobs whose keys are taken still. */
  keyWindows: Asked<[keys: readonly KeyRow[]], Omit<HolderRow, 'state'>>;
  findRequest: Asked<[id: string, keptMs: number], { readonly fingerprint: string; readonly answer: string }>;
  keepRequest: Asked<[id: string, fingerprint: string, jobs: number, answer: string], object>;

  /** Leases ready jobs, in their order. What another claim is taking at this moment is skipped. */
  claim: Asked<
    [queueIds: readonly number[], names: readonly string[] | null, limit: number, leaseMs: number, worker: string],
    ClaimRow
  >;
  /** These take each lease once, and answer the ones that are live. */
  ack: Asked<[leases: readonly CompletedLease[]], SettledRow>;
  fail: Asked<[leases: readonly FailedLease[], outcome: 'failed' | 'leaseExpired'], SettledRow>;
  release: Asked<[leases: readonly ReleasedLease[]], SettledRow>;
  extend: Asked<[leases: readonly ExtendedLease[]], LeaseKey & { readonly worker: string }>;
  /** Where jobs are. */
  locate: Asked<[numbers: readonly number[]], LocatedRow>;
  /** Of these leases the live ones, held until the end of the transaction, with the notes of all attempts of their jobs by token. */
  notedLeases: Asked<[leases: readonly LeaseKey[]], LeaseKey & { readonly notes: readonly RowOfNote[] | null }>;
  keepNotes: Asked<[notes: readonly NoteRow[]], object>;

  /** Acts answer the jobs that they changed: those whose state allows it and, where a snapshot is given, that have not changed since. */
  cancel: Asked<ActValues, ActedRow>;
  redrive: Asked<ActValues, ActedRow>;
  runNow: Asked<ActValues, ActedRow>;
  reprioritise: Asked<[...ActValues, priority: number], ActedRow>;
  /** To another queue. Those that are there already are left alone. */
  transfer: Asked<[...ActValues, queueId: number], ActedRow>;
  remove: Asked<[numbers: readonly number[], snapshot: string | null], ActedRow>;
  /** By retention: jobs that came to this end and were not redriven meanwhile. */
  forget: Asked<[numbers: readonly number[], state: JobState], object>;
  /** Cancels jobs that nobody started in time, the first ones first. */
  expireJobs: Asked<[limit: number], ActedRow>;

  /** What the database shows at this moment: see `asOfText`. */
  snapshot: Asked<[], { readonly snapshot: string }>;
  /** Whether the end of a snapshot has come. */
  hasBeen: Asked<[end: string], { readonly has_been: boolean }>;
  /** How many jobs are in each state of each queue, or of one, and the snapshot for which that holds. */
  plannedCounts: Asked<
    [queueId: number | null],
    {
      readonly snapshot: string;
      readonly counts: readonly (readonly [queue: string, state: JobState, count: number])[] | null;
    }
  >;

  /** Kinds of errors of dead jobs by queue (without one, of all but Holdfast's own) and name. */
  deaths: Asked<[queueId: number | null, name: string | null, errorClass: string | null], DeathRow>;
  /** The latest dead jobs of each kind, in these queues. */
  deathSamples: Asked<
    [fingerprints: readonly string[], queueIds: readonly number[], name: string | null, limit: number],
    { readonly fingerprint: string; readonly number: number }
  >;
  /** Kinds of which no job is left. */
  forgetDeaths: Asked<[], object>;
  /** What a process tells of its workers; those of processes that have told nothing for so long are forgotten. */
  tellWorkers: Asked<[processId: number, workers: string, forgottenMs: number], object>;
  /** What all other processes have told. */
  crews: Asked<[processId: number], { readonly workers: string; readonly told_at_ms: number }>;
  /** Who has jobs leased, and how many; and the time, with nobody. */
  busyWorkers: Asked<[], BusyRow>;

  detail: Asked<[number: number], RowOfDetail>;
  /** Jobs of a place in order of their enqueue, newest first, below a number; with their payloads if wanted. */
  page: Asked<[place: JobPlace, below: number | null, limit: number, withPayload: boolean], RowOfFound>;
  /** How many jobs a place has, counted no further than a limit. */
  count: Asked<[place: JobPlace, limit: number], { readonly count: number }>;
  countByQueue: Asked<
    [place: JobPlace & { readonly state: JobState }],
    { readonly queue: string; readonly count: number }
  >;
  /** All jobs of a place, oldest first. */
  numbers: Asked<[place: JobPlace & { readonly state: JobState }], { readonly number: number }>;
  leases: Asked<[limit: number], RowOfLease>;
  leaseExpiries: Asked<[after: number, limit: number], RowOfExpiry>;
  /** Of these names, or of all. */
  queues: Asked<[names: readonly string[] | null], QueueRow>;
  totals: Asked<[], Readonly<Record<Extract<Count, `total_${string}`>, number>>>;
  queueIds: Asked<[names: readonly string[]], { readonly id: number; readonly name: string }>;
  addQueues: Asked<[names: readonly string[]], object>;
  pause: Asked<[queueId: number, forMs: number | null, actor: string, reason: string | null], PauseRow>;
  /** Answers a row where the queue was paused. */
  resume: Asked<[queue: string, actor: string], object>;

  /** What is due, and when: a quick look at indexes and at small tables. */
  look: Asked<[], LookRow>;
  /** Makes jobs ready whose time has come. A job that is too old to start is left to its expiry. */
  promote: Asked<[limit: number], { readonly queue_id: number; readonly count: number }>;
  /** Leases whose time is over, held until the end of the transaction. */
  overdueLeases: Asked<[limit: number], OverdueRow>;
  /** Adds up a piece of the ledger. */
  fold: Asked<[], PieceRow>;
  /** A piece of what a database has to do beside that after changes, so that what it keeps of them does not grow: see there. */
  catchUp: Asked<[], PieceRow>;
  /** Jobs that came to an end, by queue and state: when the first of them ended. */
  endedHeads: Asked<[], HeadRow>;
  /** The oldest of them that are more than are kept. */
  beyondCount: Asked<[queueId: number, state: JobState, count: number, limit: number], { readonly number: number }>;
  beyondAge: Asked<
    [queueId: number, state: JobState, ageMs: number, grainMs: number, limit: number],
    { readonly number: number }
  >;
  beyondBytes: Asked<[queueId: number, state: JobState, bytes: number, limit: number], { readonly number: number }>;
  forgetEvents: Asked<[keptMs: number], object>;
  forgetLeaseExpiries: Asked<[kept: number], object>;
  forgetThroughput: Asked<[steps: number], object>;
  forgetWindows: Asked<[], object>;
  forgetRequests: Asked<[keptMs: number, kept: number, jobsKept: number], object>;

  /** Only the first to open the store finds that nobody had. */
  meta: Asked<[], MetaRow>;
  nextProcess: Asked<[], { readonly id: number }>;
  time: Asked<[], { readonly at_ms: number }>;
  storage: Asked<[], { readonly bytes: number; readonly log_place: string }>;
  /** Whoever listens says so again and again. */
  listenOn: Asked<[forMs: number], object>;
  lastEvent: Asked<[], { readonly id: number }>;
  /** Events behind a place that were not seen. */
  events: Asked<[after: number, seen: readonly number[], limit: number], EventRow>;
}

export type ActValues = [numbers: readonly number[], snapshot: string | null, actor: string, reason: string | null];

export interface Asked<Values extends readonly unknown[], Row> {
  readonly values: Values;
  readonly row: Row;
}

export type StatementName = keyof Statements;

/** Asks the database: each time by itself, or all in one transaction. */
export interface Queries {
  run<Name extends StatementName>(
    name: Name,
    values: Statements[Name]['values'],
  ): Promise<readonly Statements[Name]['row'][]>;
}

export interface SqlDatabase extends Queries {
  /** Several questions; none of them changes anything if one fails or the work throws. The work is done again where the database asks for it. */
  transaction<Answer>(work: (queries: Queries) => Promise<Answer>): Promise<Answer>;
}

/** A key of jobs is none of the requests of the same text. */
export type NameKind = 'key' | 'request';

/** Where jobs are looked for: in all places, or in some. Without a queue, in all but Holdfast's own. */
export interface JobPlace {
  readonly state?: JobState;
  readonly queueId?: number;
  readonly name?: string;
  /** Dead jobs of one kind of error. */
  readonly errorFingerprint?: string;
  /** A snapshot: only jobs that have not changed since. */
  readonly since?: string;
}

/** A job that was looked for. */
export interface RowOfFound extends RowOfJob {
  readonly payload_text?: string | null;
}

export interface BusyRow {
  readonly worker: string | null;
  readonly busy: number;
  /** Of these jobs. */
  readonly queues: readonly string[];
  /** The last of them. */
  readonly leased_at_ms: number;
  readonly at_ms: number;
}

export interface NewJobRow {
  readonly queue_id: number;
  readonly name: string;
  readonly priority: number;
  readonly max_attempts: number | null;
  readonly backoff_base_ms: number;
  readonly backoff_max_ms: number;
  readonly backoff_doubles: boolean;
  readonly backoff_jitter: string;
  readonly backoff_name: string | null;
  readonly payload_text: string | null;
  readonly payload_bytes: Uint8Array | null;
  readonly payload_size: number;
  readonly delay_ms: number;
  /** A time that has passed means now. */
  readonly starts_at_ms: number | null;
  readonly expires_in_ms: number | null;
  readonly headers: string | null;
  readonly timeout_ms: number | null;
  readonly dedupe_key: string | null;
  readonly key_for_ms: number | null;
}

export interface PlacedRow {
  readonly number: number;
  readonly queue_id: number;
  /** Until it can start. */
  readonly waits_ms: number;
}

export interface KeyRow {
  readonly queue_id: number;
  readonly key: string;
}

export interface HolderRow extends KeyRow {
  readonly number: number;
  readonly state: JobState;
}

export interface ClaimRow {
  readonly number: number;
  readonly queue_id: number;
  readonly priority: number;
  readonly attempts: number;
  readonly token: number;
  readonly name: string;
  readonly max_attempts: number | null;
  readonly payload_text: string | null;
  readonly payload_bytes: Uint8Array | null;
  readonly headers: string | null;
  readonly timeout_ms: number | null;
  readonly enqueued_at_ms: number;
  readonly backoff_name: string | null;
}

export interface LeaseKey {
  readonly number: number;
  readonly token: number;
}

export interface CompletedLease extends LeaseKey {
  readonly result_text: string | null;
  readonly result_bytes: Uint8Array | null;
  readonly result_size: number;
}

export interface FailedLease extends LeaseKey {
  readonly ending: 'backoff' | 'dead' | 'cancel' | 'delay';
  /** Where it ends with a delay. */
  readonly retry_ms: number;
  readonly late_ms: number;
  readonly error_class: string;
  readonly error_message: string;
  readonly error_stack: string | null;
  /** What is alike in errors of one kind: see `errorKind`. */
  readonly kind: string;
  readonly kind_message: string;
  readonly kind_frame: string | null;
}

export interface ReleasedLease extends LeaseKey {
  readonly delay_ms: number;
}

export interface ExtendedLease extends LeaseKey {
  readonly lease_ms: number;
  /** So many extensions in one. */
  readonly times: number;
}

export interface SettledRow extends LeaseKey {
  readonly queue_id: number;
  /** Of a job that waits again; null where it came to an end. */
  readonly waits_ms: number | null;
}

export interface LocatedRow {
  readonly number: number;
  readonly queue: string;
  readonly state: JobState;
  /** With which a completed job was completed. */
  readonly token: number | null;
}

/** What is kept of one attempt. */
export interface RowOfNote {
  readonly token: number;
  readonly progress: string | null;
  readonly lines: string | null;
  readonly dropped_lines: number;
}

export interface NoteRow extends RowOfNote {
  readonly number: number;
}

/** Dead jobs of one kind of error, queue and name. */
export interface DeathRow {
  readonly fingerprint: string;
  readonly queue_id: number;
  readonly queue: string;
  readonly name: string;
  readonly count: number;
  readonly error_class: string | null;
  readonly message: string | null;
  readonly frame: string | null;
  readonly first_at_ms: number;
  readonly last_at_ms: number;
}

export interface ActedRow {
  readonly number: number;
  readonly queue_id: number;
  /** Of a lease that the act ended. */
  readonly token?: number | null;
}

/** Whether there may be another piece of the same. */
export interface PieceRow {
  readonly more: boolean;
}

export interface LookRow {
  readonly at_ms: number;
  readonly due_in_ms: number | null;
  readonly lease_ends_in_ms: number | null;
  readonly job_expires_in_ms: number | null;
  readonly to_fold: boolean;
  /** Where there can be something to catch up with though nothing is to fold. */
  readonly to_catch_up?: boolean;
}

export interface OverdueRow extends LeaseKey {
  readonly worker: string;
  readonly lease_ms: number;
  readonly late_ms: number;
}

export interface HeadRow {
  readonly queue_id: number;
  readonly name: string;
  readonly state: 'completed' | 'cancelled' | 'dead';
  readonly ended_at_ms: number;
  readonly at_ms: number;
}

export interface MetaRow {
  readonly store_id: string;
  readonly last_expiry: number;
  readonly is_new: boolean;
  readonly at_ms: number;
  /** The number of the database server that snapshots are of, where they mean nothing on another one. */
  readonly cluster?: string;
}

export interface EventRow {
  readonly id: number;
  readonly at_ms: number;
  readonly kind: string;
  readonly queue: string;
  readonly number: number | null;
  readonly name: string | null;
  readonly attempt: number | null;
  readonly worker: string | null;
  readonly error_class: string | null;
  readonly error_message: string | null;
  readonly actor: string | null;
  readonly count: number | null;
}

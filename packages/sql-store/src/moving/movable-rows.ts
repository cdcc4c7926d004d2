import type { JobState } from '@holdfast/contract';
import type { StoreIdentity } from '@holdfast/contract/moving';
import type { ActRow, AttemptRow, RowOfDetail } from '../job-rows.js';
import type { PauseRow } from '../queue-rows.js';
import type { RowOfNote } from '../statements.js';

/** A job with all that its places say of it. */
export interface RowOfWhole
  extends Omit<RowOfDetail, 'notes' | 'acts' | 'attempt_log' | 'error_class' | 'error_message' | 'remaining_ms'> {
  readonly backoff_base_ms: number;
  readonly backoff_max_ms: number;
  readonly backoff_doubles: boolean;
  readonly backoff_jitter: string;
  readonly backoff_name: string | null;
  readonly rank_ms: number | null;
  readonly end_number: number | null;
  /** Of the key that it takes: as a live job, or as a completed one. */
  readonly held_until_ms: number | null;
  readonly window_until_ms: number | null;
}

export interface NumberedRow {
  readonly number: number;
}

export interface WindowRow extends NumberedRow {
  readonly queue: string;
  readonly queue_id: number;
  readonly key: string;
  readonly until_ms: number;
}

export interface RequestRow {
  readonly id: string;
  readonly fingerprint: string;
  readonly at_ms: number;
  readonly answer: string;
}

/** What is asked of a database of which a store is read as of one moment. Names of queues stand for their numbers. */
export interface WholeRows {
  counts(): Promise<readonly { readonly queue: string; readonly state: JobState; readonly count: number }[]>;
  queues(): Promise<readonly (Partial<PauseRow> & { readonly name: string })[]>;
  /** Jobs with greater numbers, in their order. */
  sizes(after: number, limit: number): Promise<readonly (NumberedRow & { readonly payload_size: number })[]>;
  /** These are of all jobs between two numbers, in their order. */
  jobs(first: number, last: number): Promise<readonly RowOfWhole[]>;
  attempts(first: number, last: number): Promise<readonly (AttemptRow & NumberedRow)[]>;
  notes(first: number, last: number): Promise<readonly (RowOfNote & NumberedRow)[]>;
  acts(first: number, last: number): Promise<readonly (ActRow & NumberedRow)[]>;
  /** Of forgotten jobs, in the order of queues and keys. */
  windows(after: Pick<WindowRow, 'queue_id' | 'key'>, limit: number): Promise<readonly WindowRow[]>;
  /** Made after that, the oldest first. */
  requests(sinceMs: number): Promise<readonly Omit<RequestRow, 'answer' | 'fingerprint'>[]>;
  requestsOf(ids: readonly string[]): Promise<readonly RequestRow[]>;
}

/** A row by the names of its columns. Rows of one call have the same. */
export type TableRow = Readonly<Record<string, string | number | boolean | Uint8Array | null>>;

/** The tables of a store that is written whole, in one transaction. */
export interface WholeTables {
  readonly atMs: number;
  /** @returns the numbers that the queues have got */
  addQueues(names: readonly string[]): Promise<ReadonlyMap<string, number>>;
  insert(table: TableName, rows: readonly TableRow[]): Promise<void>;
  pause(queueId: number, pause: TableRow): Promise<void>;
  become(identity: StoreIdentity): Promise<void>;
}

export type TableName =
  | 'job'
  | 'ready'
  | 'scheduled'
  | 'lease'
  | 'ended'
  | 'attempt'
  | 'note'
  | 'act'
  | 'key_holder'
  | 'key_window'
  | 'request'
  | 'queue_count'
  | 'death_count';

import type { RecoveryReport } from '@holdfast/contract';
/**
 * What a journal of a store's life holds, a JSON text a line. The processes under torture write it, outside the store's
 * directory: a line before each call, and a line after its answer. A call without an answer may have been applied or not.
 *
 * `atMs` is CLOCK_MONOTONIC, the same for all processes of a machine; `wallMs` is the wall clock.
 */
export type HistoryEvent =
  | ProcessStarted
  | StoreOpened
  | StoreRow
  | StoreCounts
  | EnqueueCalled
  | EnqueueAnswered
  | ClaimCalled
  | ClaimAnswered
  | SettleCalled
  | SettleAnswered
  | ActCalled
  | ActAnswered
  | CallFailed
  | HealthChanged
  | SyncsSeen
  | StoreClosed
  | ProcessEnded;

interface Timed {
  readonly atMs: number;
}

export interface ProcessStarted extends Timed {
  readonly event: 'started';
  readonly pid: number;
}

export interface StoreOpened extends Timed {
  readonly event: 'opened';
  readonly wallMs: number;
  readonly storeId: string;
  readonly epoch: number;
  readonly recovery: RecoveryReport['kind'];
  readonly tornBytes: number;
  readonly leasesEnded: number;
  /** All before it were compacted away. */
  readonly firstSegment: number;
  readonly bytes: number;
}

/** A job as the store shows it right after an open, before anything else is done. Rows and counts describe one moment. */
export interface StoreRow {
  readonly event: 'row';
  readonly id: string;
  readonly state: string;
  readonly queue: string;
  readonly priority: number;
  readonly attempts: number;
  readonly maxAttempts: number | null;
  /** Of jobs that may run again: their payloads are checked before that. */
  readonly payload?: PayloadSeen;
  /** Of dead jobs: how each attempt since the last redrive ended. */
  readonly outcomes?: readonly string[];
}

export interface PayloadSeen {
  /** What its producer called it. */
  readonly key: string;
  readonly hash: string;
}

/** Follows the rows: what the store counts, by queue and state. */
export interface StoreCounts {
  readonly event: 'counts';
  readonly counts: Readonly<Record<string, Readonly<Record<string, number>>>>;
}

export interface JobAsked extends PayloadSeen {
  readonly queue: string;
  readonly priority: number;
  readonly maxAttempts: number | null;
  readonly delayMs: number;
}

export interface EnqueueCalled extends Timed {
  readonly event: 'enqueue';
  readonly call: number;
  readonly wallMs: number;
  readonly jobs: readonly JobAsked[];
}

export interface EnqueueAnswered extends Timed {
  readonly event: 'enqueued';
  readonly call: number;
  readonly ids: readonly string[];
}

export interface ClaimCalled extends Timed {
  readonly event: 'claim';
  readonly call: number;
  readonly queues: readonly string[];
  readonly leaseMs: number;
}

export interface JobDelivered extends PayloadSeen {
  readonly id: string;
  readonly token: string;
  readonly attempt: number;
  readonly queue: string;
  readonly priority: number;
  readonly maxAttempts: number | null;
}

export interface ClaimAnswered extends Timed {
  readonly event: 'claimed';
  readonly call: number;
  readonly wallMs: number;
  readonly jobs: readonly JobDelivered[];
}

export type SettleKind = 'ack' | 'fail' | 'release' | 'extend';

export interface SettleItem {
  readonly id: string;
  readonly token: string;
}

export interface SettleCalled extends Timed {
  readonly event: 'settle';
  readonly call: number;
  readonly kind: SettleKind;
  readonly items: readonly SettleItem[];
  /** Of `fail`: dead at once. */
  readonly dead?: boolean;
  /** Of `extend`. */
  readonly leaseMs?: number;
}

export interface SettleAnswered extends Timed {
  readonly event: 'settled';
  readonly call: number;
  readonly answers: readonly string[];
}

export type ActKind = 'redrive' | 'cancel' | 'remove';

/** An operator's act on one job. */
export interface ActCalled extends Timed {
  readonly event: 'act';
  readonly call: number;
  readonly kind: ActKind;
  readonly id: string;
}

export interface ActAnswered extends Timed {
  readonly event: 'acted';
  readonly call: number;
  readonly done: boolean;
}

export interface CallFailed extends Timed {
  readonly event: 'failed';
  readonly call: number;
  readonly outcome: 'rejected' | 'unknown';
  readonly code: string;
}

export interface HealthChanged extends Timed {
  readonly event: 'health';
  readonly status: string;
}

/** What the store says of its disk, now and then. */
export interface SyncsSeen extends Timed {
  readonly event: 'syncs';
  /** Since the store was opened. */
  readonly longestMs: number;
}

/** After `close` has answered. */
export interface StoreClosed extends Timed {
  readonly event: 'closed';
}

/** Written by whoever watches the process, after it is gone. */
export interface ProcessEnded extends Timed {
  readonly event: 'ended';
  /** `power`: nothing that was not synced is left. `atMs` is when the process stopped running. */
  readonly how: 'exit' | 'killed' | 'power';
}

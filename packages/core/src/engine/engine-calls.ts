import type {
  ActedBy,
  ActOutcome,
  HoldfastError,
  JobError,
  Payload,
  Selection,
  SettleAnswer,
  WorkerName,
} from '@holdfast/contract';
import type { JobShape } from '@holdfast/contract/rules';

/**
 * What is asked of the engine and what it answers, in the engine's own terms: ids and tokens are numbers, defaults are filled
 * in, names are known to be within limits. Whoever speaks for an application (host/) translates.
 */

/** Called once, after the call's records are written (enqueue: durable), never inside the call itself. */
export type Done<Answer> = (error: HoldfastError | undefined, answer: Answer | undefined) => void;

/** Callers reuse one object for many jobs; the engine may key caches on it. */
export type { JobShape };

export interface EngineJob {
  readonly shape: JobShape;
  readonly payload: Payload;
  readonly delayMs?: number | undefined;
  readonly runAtMs?: number | undefined;
}

/** The jobs of a call have consecutive ids in input order. */
export interface EnqueueAnswer {
  readonly firstId: number;
  /** 1 where the job is scheduled, 0 where it is ready. */
  readonly scheduled: Uint8Array;
}

export interface EngineClaim {
  readonly queues: readonly string[];
  readonly names?: readonly string[] | undefined;
  readonly limit: number;
  readonly leaseMs: number;
  readonly waitMs: number;
  readonly worker: WorkerName;
}

export interface ClaimedJob {
  readonly id: number;
  readonly token: number;
  readonly shape: JobShape;
  readonly payload: Payload;
  readonly attempt: number;
  readonly enqueuedAtMs: number;
}

/** A claim that may be waiting. `cancel` ends the wait with an empty answer; it does nothing once the claim was answered. */
export interface PendingClaim {
  cancel(): void;
}

export interface EngineLeaseRef {
  readonly id: number;
  readonly token: number;
}

export interface EngineAck extends EngineLeaseRef {
  readonly result?: Payload | undefined;
}

export interface EngineFail extends EngineLeaseRef {
  readonly error: JobError;
  readonly then: 'backoff' | 'dead' | { readonly retryInMs: number };
}

export interface EngineRelease extends EngineLeaseRef {
  readonly delayMs?: number | undefined;
}

export interface EngineExtend extends EngineLeaseRef {
  readonly leaseMs: number;
}

export type SettleDone = Done<readonly SettleAnswer[]>;

export type RedriveCall = (selection: Selection, by: ActedBy, done: Done<ActOutcome>) => void;

import type {
  ActedBy,
  FailItem,
  HoldfastError,
  JobError,
  Payload,
  PlanRequest,
  SelectionPlan,
  SettleAnswer,
  WorkerName,
} from '@holdfast/contract';
import type { CheckedDedupe, CheckedEvents, CheckedNote, JobExtras, JobShape } from '@holdfast/contract/rules';
import type { EachAnswer, EnqueueAnswer } from '../state/enqueue-answer.js';

/**
 * What is asked of the engine and what it answers, in the engine's own terms: ids and tokens are numbers, defaults are filled
 * in, names are known to be within limits. Whoever speaks for an application (host/) translates.
 */

/** Called once, after the call's records are written (enqueue: durable), never inside the call itself. */
export type Done<Answer> = (error: HoldfastError | undefined, answer: Answer | undefined) => void;

/** Callers reuse one object for many jobs; the engine may key caches on it. */
export type { CheckedDedupe, EachAnswer, EnqueueAnswer, JobExtras, JobShape };

export interface EngineJob {
  readonly shape: JobShape;
  readonly payload: Payload;
  readonly delayMs?: number | undefined;
  readonly runAtMs?: number | undefined;
  readonly expiresInMs?: number | undefined;
  readonly extras?: JobExtras | undefined;
  readonly dedupe?: CheckedDedupe | undefined;
  /** From which job it was cloned, encoded: see enqueue-options.ts. */
  readonly cloneOrigin?: Uint8Array | undefined;
}

/**
 * The jobs of one call in columns, as they cross from an application: objects and texts of a thousand jobs would be most of what they cost
 * the engine. A column is absent where no job has anything in it. Nothing of it is changed after the call.
 */
export interface EngineJobs {
  readonly shapes: ShapeColumn;
  readonly payloads: PayloadColumn;
  /** Milliseconds, NaN where a job gives none. */
  readonly delaysMs?: Float64Array;
  /** Epoch milliseconds, NaN where a job gives none. */
  readonly runAtsMs?: Float64Array;
  /** Milliseconds, NaN where a job may wait for ever. */
  readonly expiresInMs?: Float64Array;
  /** By place, and these may be shorter than there are jobs, where the others have none. */
  readonly extras?: readonly (JobExtras | undefined)[];
  readonly dedupes?: readonly (CheckedDedupe | undefined)[];
  readonly cloneOrigins?: readonly (Uint8Array | undefined)[];
}

/** The shapes of many jobs: each distinct one once, in order of first use. */
export interface ShapeColumn {
  readonly shapes: readonly JobShape[];
  /** For each job the place of its shape; absent when all jobs have the first. */
  readonly places?: Uint32Array;
}

/**
 * Many payloads as four values: all texts joined into one string and all bytes into one buffer, in order, because copying one
 * long string to another thread costs a small part of copying a thousand short ones.
 */
export interface PayloadColumn {
  readonly text: string;
  /** UTF-16 units of a text, bytes of a byte payload, 0 for none. */
  readonly lengths: Uint32Array;
  /** As PAYLOAD_KIND numbers them; absent when every entry is a text. */
  readonly kinds?: Uint8Array;
  /** Absent when no entry is of bytes. Moves with the message instead of being copied. */
  readonly bytes?: Uint8Array<ArrayBuffer>;
}

/** The id under which a call may be repeated, and the fingerprint of its jobs. */
export interface EngineRequest {
  readonly id: string;
  readonly fingerprint: string;
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
  readonly extras: JobExtras | undefined;
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
  readonly then: FailItem['then'];
}

export interface EngineRelease extends EngineLeaseRef {
  readonly delayMs?: number | undefined;
}

export interface EngineExtend extends EngineLeaseRef {
  readonly leaseMs: number;
}

export interface EngineNote extends EngineLeaseRef {
  readonly note: CheckedNote;
}

export type SettleDone = Done<readonly SettleAnswer[]>;

/** What an operator does to many jobs. The kinds are named like the events of LIFECYCLE. */
export type JobAct =
  | { readonly kind: 'redrive' }
  | { readonly kind: 'cancel' | 'remove' | 'runNow' }
  | { readonly kind: 'reprioritise'; readonly priority: number }
  | { readonly kind: 'transfer'; readonly queue: string };

export interface EngineClone {
  readonly id: string;
  /** Without one, that of the cloned job. */
  readonly payload?: Payload | undefined;
  readonly by: ActedBy;
}

/** `undefined`: the store does not know the job that was to be cloned. */
export interface CloneAnswer {
  readonly id: number | undefined;
}

export interface EnginePause {
  readonly queue: string;
  readonly forMs?: number | undefined;
  readonly by: ActedBy;
}

/** A part of a plan: what one slice of work counts. */
export interface EnginePlan {
  readonly planned: PlanRequest;
  /** From the first part. */
  readonly asOf?: string | undefined;
  /** From the part before. */
  readonly cursor?: string | undefined;
  readonly jobsMax: number;
}

export interface PlanPart extends Pick<SelectionPlan, 'asOf' | 'states' | 'queues' | 'samples'> {
  readonly scanned: number;
  /** Absent on the last part. */
  readonly next?: string | undefined;
}

/** What a listener asks for, again and again. */
export interface EngineEvents extends CheckedEvents {
  /** How long to wait for a first event. */
  readonly waitMs: number;
}

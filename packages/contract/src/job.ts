/**
 * The words of Holdfast: a job, its states and what is told about it. Plain data only, so that every shape
 * here can cross a thread, a socket or a database driver unchanged.
 */

import type { Total } from './job-selection.js';

/** Names a job for ever: never reused by the same store, opaque to everyone but the store that made it. */
export type JobId = string;

/**
 * Names one lease of one job. Opaque but for one thing: a later lease of a store has a token that is greater as text, so
 * that a handler can fence a write of its own (`… WHERE last_token < $token`).
 */
export type LeaseToken = string;

/** The life of a job: see docs/job-lifecycle.md. A job that waits for a retry is `scheduled` with `attempts > 0`. */
export type JobState = 'scheduled' | 'ready' | 'leased' | 'completed' | 'dead' | 'cancelled';

/** All states, in the order in which user interfaces list them. */
export const JOB_STATES: readonly JobState[] = ['scheduled', 'ready', 'leased', 'completed', 'dead', 'cancelled'];

/** What travels with a job: text (JSON from the default codec) or raw bytes. A store never looks inside. */
export type Payload = string | Uint8Array;

/**
 * When a failed attempt is tried again. The delay before attempt n + 1 is `baseMs` (fixed) or
 * `baseMs * 2 ** (n - 1)` (exponential), at most `maxMs`. `full` jitter then draws evenly from 0 to that delay. `decorrelated` jitter takes
 * the place of the doubling: the delay is the n-th step of a walk from `baseMs` on, each step drawn evenly from `baseMs` to three times
 * the one before, at most `maxMs`.
 *
 * A `named` one is a function that workers know by this name (WorkerOptions.backoffs). Where nobody can ask it, because the lease
 * ended or the worker has no such function, the delay is that of an exponential one.
 */
export interface Backoff {
  readonly kind: 'fixed' | 'exponential' | 'named';
  readonly baseMs: number;
  readonly maxMs: number;
  /** `decorrelated` is not for fixed ones. */
  readonly jitter: 'none' | 'full' | 'decorrelated';
  /** Present on a `named` one. */
  readonly name?: string;
}

/** A backoff as callers give it: without `maxMs` at most an hour (fixed: `baseMs`), without `jitter` full, a named one from 1 s on. */
export type BackoffOptions =
  | Backoff
  | ({ readonly kind: 'fixed' | 'exponential'; readonly baseMs: number } & Partial<Pick<Backoff, 'maxMs' | 'jitter'>>)
  | ({ readonly kind: 'named'; readonly name: string } & Partial<Pick<Backoff, 'baseMs' | 'maxMs' | 'jitter'>>);

/** One job to be stored. Durations are milliseconds; nothing here is a wall-clock deadline except `runAtMs`. */
export interface NewJob {
  readonly queue: string;
  readonly name: string;
  readonly payload: Payload;
  /** 0 (first) to 4294967295 (last); default 0. */
  readonly priority?: number;
  /** Start no earlier than this many milliseconds after the store accepts the job. Excludes `runAtMs`. */
  readonly delayMs?: number;
  /** Start no earlier than this wall-clock time, in epoch milliseconds. Excludes `delayMs`. */
  readonly runAtMs?: number;
  /**
   * A job that no worker has started this many milliseconds after the store accepted it is cancelled instead, by the wall clock. Counts
   * until the first start only: retries may come later. Default: it may wait for ever.
   */
  readonly expiresInMs?: number;
  /** Attempts before the job is dead; `null` never gives up. Default 5. */
  readonly maxAttempts?: number | null;
  /** Default: exponential from 1 s to 1 h with full jitter. */
  readonly backoff?: BackoffOptions;
  /**
   * How long one attempt may take, in milliseconds. Kept with the job and handed to whoever works on it; the store itself ends no
   * attempt for it. Default: as long as the lease is extended.
   */
  readonly timeoutMs?: number;
  /** Keeps the same work from being stored twice. Default: every job is work of its own. */
  readonly dedupe?: Dedupe;
  /** Texts that travel beside the payload, such as a trace context. Names and values have at most 8 KiB together. */
  readonly headers?: JobHeaders;
}

/** Says which jobs mean the same work, and what becomes of one whose work is stored already. */
export interface Dedupe {
  /**
   * 1 to 255 bytes, within its queue. It is taken while its job is scheduled, ready or leased. A job that is completed, dead, cancelled or
   * removed takes no key, and one that is redriven does not take it again.
   */
  readonly key: string;
  /**
   * What an enqueue does whose key is taken. `keep` (default): stores nothing. `replace`: a job that waits becomes this one, whole
   * and as if it were enqueued now, under the id that it has; if it is leased nothing is stored. `runOnceMore`: if the job is
   * leased this one is stored too, so that the work is done once more; if one waits already nothing is stored.
   */
  readonly onConflict?: 'keep' | 'replace' | 'runOnceMore';
  /**
   * The key stays taken for at least this long after the store accepted the job, by the wall clock, though the job has completed before
   * and was forgotten. Default: no longer than the job is live.
   */
  readonly forMs?: number;
}

/** Texts by name. No name is empty; a value may be. */
export type JobHeaders = Readonly<Record<string, string>>;

/**
 * The answer to one enqueued job: durable when it is given. `created`: it was stored. `duplicate`: its key is taken by the job that is named
 * here, and nothing was stored. `replaced`: the job that is named here has become this one.
 */
export interface Enqueued {
  readonly id: JobId;
  /** Of the job with this id, when the store took the call. */
  readonly state: JobState;
  readonly outcome: 'created' | 'duplicate' | 'replaced';
}

/** A job handed to a worker, with the lease that fences it. */
export interface LeasedJob {
  readonly id: JobId;
  readonly token: LeaseToken;
  readonly queue: string;
  readonly name: string;
  readonly payload: Payload;
  readonly priority: number;
  /** 1 for the first start. */
  readonly attempt: number;
  readonly maxAttempts: number | null;
  readonly enqueuedAtMs: number;
  /** The lease ends this many milliseconds after it was given unless it is extended. */
  readonly leaseMs: number;
  /** How long this attempt may take, if the job says so. */
  readonly timeoutMs?: number;
  /** Present if the job has any. */
  readonly headers?: JobHeaders;
  /** Which function of the worker says how long to wait when this attempt fails: present if the backoff of the job is `named`. */
  readonly backoffName?: string;
}

/** Why an attempt did not complete. Kept with the job and shown to operators. */
export interface JobError {
  /** Class name of the error, or a word of the store (`LeaseExpired`, `ProcessEnded`). */
  readonly class: string;
  readonly message: string;
  /** At most 8 KiB; longer stacks are cut. */
  readonly stack?: string;
}

/** One line of what a handler told of its work. */
export interface LogLine {
  /** By the wall clock of the worker. */
  readonly atMs: number;
  /** At most 1 KiB; longer ones are cut. */
  readonly text: string;
}

/** How one attempt ended. `running` has no end yet. */
export type AttemptOutcome =
  | 'running'
  | 'completed'
  | 'failed'
  | 'leaseExpired'
  | 'processEnded'
  | 'released'
  | 'cancelled';

export interface Attempt {
  readonly attempt: number;
  readonly worker: string;
  readonly startedAtMs: number;
  readonly endedAtMs?: number;
  readonly outcome: AttemptOutcome;
  readonly error?: JobError;
  /** What the handler last told of its progress, as JSON. */
  readonly progress?: string;
  /** Oldest first. Of all attempts of a job together, the last 100 lines are kept, of at most 16 KiB. Absent where there are none. */
  readonly lines?: readonly LogLine[];
  /** So many lines came before those and are not kept. Absent where all are there. */
  readonly droppedLines?: number;
}

/** An operator's act on a job, as recorded. */
export interface OperatorAct {
  /** `clone` stands with the job that it made. A removed job leaves its act only in the log. */
  readonly act: 'redrive' | 'cancel' | 'runNow' | 'reprioritise' | 'transfer' | 'clone';
  readonly atMs: number;
  readonly actor: string;
  readonly reason?: string;
  /** The new priority: present on `reprioritise`. */
  readonly priority?: number;
  /** The queues that it went from and to: present on `transfer`. */
  readonly fromQueue?: string;
  readonly toQueue?: string;
}

/** A job in a list: no payload, no result, no stack. */
export interface JobRow {
  readonly id: JobId;
  readonly queue: string;
  readonly name: string;
  readonly state: JobState;
  readonly priority: number;
  /** Attempts started since the job was enqueued or last redriven. */
  readonly attempts: number;
  readonly maxAttempts: number | null;
  readonly enqueuedAtMs: number;
  /** When it may start (scheduled) or could have started (all other states). */
  readonly runAtMs: number;
  /** When the state last changed. */
  readonly updatedAtMs: number;
  readonly payloadBytes: number;
  /** Cancelled at this wall-clock time unless it was started before. Absent once it was started, and on jobs that may wait for ever. */
  readonly expiresAtMs?: number;
  /**
   * On jobs that came to an end and are kept for a time: the wall-clock time at which the store forgets them. It may forget them earlier
   * where it keeps only so many.
   */
  readonly keptUntilMs?: number;
  /** Present while leased. */
  readonly lease?: LeaseFacts;
  /** First line of the last error: present on retrying and dead jobs. */
  readonly lastError?: { readonly class: string; readonly message: string };
}

/**
 * What is known of a live lease. `remainingMs` counts from the moment of the answer and may be negative. A store that only shows jobs does not know
 * of extensions: there it counts from the beginning of the lease.
 */
export interface LeaseFacts {
  readonly worker: string;
  readonly token: LeaseToken;
  readonly leasedAtMs: number;
  readonly leaseMs: number;
  readonly remainingMs: number;
}

/** Everything about one job. Attempts are oldest first and reach back over redrives. */
export interface JobDetail extends JobRow {
  readonly payload: Payload;
  readonly timeoutMs?: number;
  readonly headers?: JobHeaders;
  /** The key that it was enqueued with, whether it still takes it or not. */
  readonly dedupeKey?: string;
  readonly result?: Payload;
  /** How many ready jobs of its queue are handed out before it: present on ready jobs, where a store can tell. */
  readonly ahead?: Total;
  /** That of the latest attempt, as JSON, if it told any. */
  readonly progress?: string;
  readonly attemptLog: readonly Attempt[];
  readonly acts: readonly OperatorAct[];
  /** The job that this one was made from; the store may have forgotten it. */
  readonly clonedFrom?: JobId;
  /**
   * Present on cancelled jobs: by an act of an operator (see `acts`), because nobody started it in time, or by its handler (the
   * error of its last attempt says why).
   */
  readonly cancelCause?: 'operator' | 'expired' | 'handler';
  /** Where the store keeps it, for those who want to look with their own eyes: file, byte offset, bytes. */
  readonly record?: { readonly file: string; readonly offset: number; readonly bytes: number };
}

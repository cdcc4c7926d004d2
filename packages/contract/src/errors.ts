import { describedValue } from './described-value.js';
import type { JobState } from './job.js';
import { STORE_LIMITS as LIMITS } from './rules/limits.js';

/**
 * All errors that Holdfast throws on purpose, in one place. The code is stable; the message says what happened and
 * what to do next; values are fields, so that nobody has to parse a message.
 */
export type HoldfastErrorCode =
  | 'INVALID_ARGUMENT'
  | 'INVALID_JOB'
  | 'REQUEST_MISMATCH'
  | 'PAYLOAD_NOT_JSON'
  | 'PAYLOAD_UNSUPPORTED'
  | 'INVALID_PAYLOAD'
  | 'STORE_CLOSED'
  | 'STORE_FAILED'
  | 'STORE_FULL'
  | 'STORE_LOCKED'
  | 'STORE_READ_ONLY'
  | 'STORE_OPEN_FAILED'
  | 'LOG_CORRUPT'
  | 'SNAPSHOT_FAILED'
  | 'LOG_VERSION'
  | 'MOVE_REFUSED'
  | 'MOVE_INTERRUPTED'
  | 'CURSOR_INVALID'
  | 'UNRECOVERABLE'
  | 'RETRY_AFTER'
  | 'SNOOZE'
  | 'CANCEL_JOB'
  | 'JOB_TIMEOUT'
  | 'JOB_NOT_COMPLETED'
  | 'HANDLER_ENDED'
  | 'NO_HANDLER'
  | 'DUPLICATE_HANDLER'
  | 'QUEUE_NOT_REGISTERED'
  | 'QUEUE_CONFLICT'
  | 'CONNECTION_NOT_FOUND'
  | 'SEVERAL_ROOTS'
  | 'STORE_TAKEN_OVER'
  | 'WORKER_CLOSED'
  | 'OUTBOX_FAILED'
  | 'OUTBOX_ROW_REFUSED'
  | 'JOB_ABORTED';

/** `rejected`: certainly not applied. `unknown`: may be applied, now or after the store has reopened. */
export type CallOutcome = 'rejected' | 'unknown';

export class HoldfastError extends Error {
  readonly code: HoldfastErrorCode;
  readonly outcome: CallOutcome;

  constructor(code: HoldfastErrorCode, outcome: CallOutcome, message: string, options?: { cause?: unknown }) {
    super(message, options);
    this.name = new.target.name;
    this.code = code;
    this.outcome = outcome;
  }
}

/** An option or argument that can never work: which one, what was given, what is allowed. */
export class InvalidArgumentError extends HoldfastError {
  readonly argument: string;

  /** @param hint Where to look for the mistake: a sentence of its own. */
  constructor(argument: string, given: unknown, allowed: string, hint?: string) {
    const problem = `${argument} is ${describedValue(given)}, but must be ${allowed}.`;
    super('INVALID_ARGUMENT', 'rejected', hint === undefined ? problem : `${problem} ${hint}`);
    this.argument = argument;
  }
}

/** A job that cannot be stored. Nothing of its batch was written. */
export class InvalidJobError extends HoldfastError {
  readonly index: number;
  readonly field: string;
  /** What is wrong with the field: the end of a sentence that begins with it. */
  readonly problem: string;

  constructor(index: number, field: string, problem: string) {
    super('INVALID_JOB', 'rejected', `Job ${index} of the call was refused: ${field} ${problem}. Nothing was stored.`);
    this.index = index;
    this.field = field;
    this.problem = problem;
  }
}

/** An enqueue under a request id that stands for other jobs already. Nothing was stored. */
export class RequestMismatchError extends HoldfastError {
  readonly requestId: string;

  constructor(requestId: string) {
    super(
      'REQUEST_MISMATCH',
      'rejected',
      `The request ${describedValue(requestId)} was used for other jobs before. Repeat a request with exactly the jobs that it had, ` +
        'times included, and give each new one an id of its own. Nothing was stored.',
    );
    this.requestId = requestId;
  }
}

/** Defaults of a queue with which no job of it could be stored. */
export class InvalidDefaultsError extends HoldfastError {
  readonly queue: string;
  readonly field: string;

  constructor(queue: string, field: string, problem: string) {
    super(
      'INVALID_ARGUMENT',
      'rejected',
      `The defaults of the queue ${describedValue(queue)} cannot work: ${field} ${problem}. Mend them where the queue is made or registered.`,
    );
    this.queue = queue;
    this.field = field;
  }
}

/** A payload or result that JSON would change silently or cannot hold. */
export class PayloadNotJsonError extends HoldfastError {
  readonly path: string;

  constructor(path: string, problem: string) {
    super(
      'PAYLOAD_NOT_JSON',
      'rejected',
      `${path} ${problem}. Convert it first, or give the queue a codec that can hold it.`,
    );
    this.path = path;
  }
}

/** A payload or a result holds a part that the codec cannot keep. */
export class PayloadUnsupportedError extends HoldfastError {
  readonly path: string;

  constructor(path: string, problem: string, options?: { cause?: unknown }) {
    super('PAYLOAD_UNSUPPORTED', 'rejected', `${path} cannot be kept: ${problem}. Convert it first.`, options);
    this.path = path;
  }
}

/** One thing that a schema has to say against a payload. */
export interface PayloadIssue {
  /** From the payload inwards: `.items[2].price`; empty for the payload itself. */
  readonly path: string;
  readonly message: string;
}

/** A payload does not fit the schema of its job name. Thrown by `enqueue`, and the last error of a job whose payload no longer fits. */
export class InvalidPayloadError extends HoldfastError {
  readonly jobName: string;
  readonly issues: readonly PayloadIssue[];

  /** @param at How the payload is called: `payload`, `jobs[3].payload`. */
  constructor(jobName: string, at: string, issues: readonly PayloadIssue[]) {
    const list = issues.map(({ path, message }) => `${at}${path}: ${message}`).join('; ');
    super('INVALID_PAYLOAD', 'rejected', `The payload does not fit the schema of ${JSON.stringify(jobName)}. ${list}`);
    this.jobName = jobName;
    this.issues = issues;
  }
}

export class StoreClosedError extends HoldfastError {
  constructor() {
    super('STORE_CLOSED', 'rejected', 'The store is closed. Open a new one to go on.');
  }
}

/**
 * The store failed while the call was under way, or cannot be reached. An `enqueue` whose outcome is `unknown` is safe to repeat if it had a
 * `requestId`: repeat it under the same one. Without one, repeating may store the jobs twice.
 */
export class StoreFailedError extends HoldfastError {
  /** What happened, in plain words, without what it means for the call. */
  readonly detail: string;

  constructor(outcome: CallOutcome, detail: string, options?: { cause?: unknown }) {
    const consequence =
      outcome === 'unknown'
        ? 'The call may or may not have been applied; an enqueue is safe to repeat under the requestId that it had.'
        : 'The call was not applied.';
    super('STORE_FAILED', outcome, `${detail} ${consequence}`, options);
    this.detail = detail;
  }
}

/** The disk has no room for more jobs. Nothing of the call was written; jobs that are there can still be worked off. */
export class StoreFullError extends HoldfastError {
  readonly location: string;
  /** What the system said last; absent where it does not say. */
  readonly freeBytes: number | undefined;
  /** What happened and what to do, without what it means for the call. */
  readonly detail: string;

  constructor(location: string, freeBytes: number | undefined) {
    const left = freeBytes === undefined ? 'no room' : `${freeBytes} bytes`;
    const detail =
      `The disk of ${location} has ${left} left, which is kept for working off the jobs that are there. ` +
      'Free some space on it: then new jobs are taken again without a restart.';
    super('STORE_FULL', 'rejected', `${detail} Nothing of the call was stored.`);
    this.detail = detail;
    this.location = location;
    this.freeBytes = freeBytes;
  }
}

/** Another owner has the directory open. */
export class StoreLockedError extends HoldfastError {
  readonly directory: string;
  readonly holderPid: number | undefined;

  constructor(directory: string, holderPid: number | undefined) {
    const holder = holderPid === undefined ? 'another process' : `process ${holderPid}`;
    super(
      'STORE_LOCKED',
      'rejected',
      `${directory} is in use by ${holder}. One process owns a log directory: stop that one, or choose another directory.`,
    );
    this.directory = directory;
    this.holderPid = holderPid;
  }
}

/** The store only shows jobs, and this call would change something. */
export class StoreReadOnlyError extends HoldfastError {
  /** @param because A sentence: why it only shows them, and where to act instead. */
  constructor(because = '') {
    const why = because === '' ? '' : ` ${because}`;
    super('STORE_READ_ONLY', 'rejected', `This store only shows jobs.${why} Nothing was changed.`);
  }
}

export class StoreOpenError extends HoldfastError {
  readonly location: string;

  constructor(location: string, problem: string, options?: { cause?: unknown }) {
    super('STORE_OPEN_FAILED', 'rejected', `${location} could not be opened: ${problem}`, options);
    this.location = location;
  }
}

/** A backup could not be made. The store is not concerned; what was copied of it is removed as far as possible, and never opens. */
export class SnapshotFailedError extends HoldfastError {
  /** Where it was to be made. */
  readonly target: string;

  constructor(target: string, problem: string, options?: { cause?: unknown }) {
    super(
      'SNAPSHOT_FAILED',
      'rejected',
      `No snapshot was made in ${target}: ${problem}. Give it a directory that is absent or empty, on a disk with room.`,
      options,
    );
    this.target = target;
  }
}

/** Damage that a crash cannot explain. The files were not touched. */
export class LogCorruptError extends HoldfastError {
  readonly file: string;
  readonly offset: number;
  /** What is wrong there, in plain words. */
  readonly problem: string;

  constructor(file: string, offset: number, problem: string) {
    super(
      'LOG_CORRUPT',
      'rejected',
      `${file} is damaged at byte ${offset}: ${problem}. Nothing was changed. Keep a copy of the directory and restore it ` +
        'from a backup, or salvage what is whole into a new one: npx holdfast repair <directory> --to <new directory>.',
    );
    this.file = file;
    this.offset = offset;
    this.problem = problem;
  }
}

/** Written by a newer Holdfast, or not by Holdfast. */
export class LogVersionError extends HoldfastError {
  readonly file: string;
  readonly problem: string;

  constructor(file: string, problem: string) {
    super('LOG_VERSION', 'rejected', `${file} cannot be read: ${problem}. Nothing was changed.`);
    this.file = file;
    this.problem = problem;
  }
}

export class CursorInvalidError extends HoldfastError {
  constructor() {
    super(
      'CURSOR_INVALID',
      'rejected',
      'The page cursor is not one that this store gave out. Start from the first page.',
    );
  }
}

/** Thrown by a handler: no further attempt can help, the job is dead at once. */
export class UnrecoverableError extends HoldfastError {
  constructor(message: string, options?: { cause?: unknown }) {
    super('UNRECOVERABLE', 'rejected', message, options);
  }
}

/** Thrown by a handler: try again after this time, whatever the backoff of the job says. The attempt counts. */
export class RetryAfter extends HoldfastError {
  readonly delayMs: number;

  /** @throws InvalidArgumentError unless `delayMs` is a time that a job may wait. */
  constructor(delayMs: number, message = `Try again in ${delayMs} ms.`, options?: { cause?: unknown }) {
    super('RETRY_AFTER', 'rejected', message, options);
    this.delayMs = checkedDelay(delayMs);
  }
}

/** Thrown by a handler: it is too early for this job. It runs again after this time, and this attempt is not counted. */
export class Snooze extends HoldfastError {
  readonly delayMs: number;

  /** @throws InvalidArgumentError unless `delayMs` is a time that a job may wait. */
  constructor(delayMs: number, message = `Wait for another ${delayMs} ms.`) {
    super('SNOOZE', 'rejected', message);
    this.delayMs = checkedDelay(delayMs);
  }
}

/** Thrown by a handler: the job is not needed any more. It is cancelled, which is no failure. The message is kept. */
export class CancelJob extends HoldfastError {
  constructor(message = 'Not needed any more.', options?: { cause?: unknown }) {
    super('CANCEL_JOB', 'rejected', message, options);
  }
}

/** An attempt took longer than its `timeoutMs` and was given up. */
export class JobTimeoutError extends HoldfastError {
  readonly timeoutMs: number;

  constructor(jobId: string, timeoutMs: number) {
    super(
      'JOB_TIMEOUT',
      'rejected',
      `Job ${jobId} took longer than ${timeoutMs} ms. If its handler is still at work nothing that it answers will be kept; ` +
        'let it listen to its signal, or allow more time.',
    );
    this.timeoutMs = timeoutMs;
  }
}

/** The job that somebody waited for did not complete. `state` is where it is; `missing`: the store does not know it (any more). */
export class JobNotCompletedError extends HoldfastError {
  readonly jobId: string;
  readonly state: JobState | 'missing';
  /** Class and message of its last error, where there was one. */
  readonly lastError: { readonly class: string; readonly message: string } | undefined;

  constructor(
    jobId: string,
    state: JobState | 'missing',
    lastError?: { readonly class: string; readonly message: string },
  ) {
    const why = lastError === undefined ? '' : ` Its last error: ${lastError.class}: ${lastError.message}`;
    const what =
      state === 'missing'
        ? 'is not known to this queue: it was never there, was removed, or ended so long ago that it is forgotten.'
        : `is ${state} and will not complete unless somebody redrives it.`;
    super('JOB_NOT_COMPLETED', 'rejected', `Job ${jobId} ${what}${why}`);
    this.jobId = jobId;
    this.state = state;
    this.lastError = lastError;
  }
}

/** Why a running handler is asked to stop. */
export type AbortReason = 'shutdown' | 'leaseLost' | 'timeout' | 'cancelled';

const ABORTS: Record<AbortReason, string> = {
  shutdown: 'its worker is closing. It is handed back, uncounted, if it does not finish now.',
  leaseLost: 'its lease was lost. Another worker may run it already, and nothing this attempt answers will be kept.',
  timeout: 'its time is over. The attempt fails if it does not finish now.',
  cancelled: 'it was cancelled. Nothing this attempt answers will be kept.',
};

/** The `reason` of a handler's aborted signal, and what `extend` throws after that. */
export class JobAbortedError extends HoldfastError {
  readonly reason: AbortReason;

  constructor(jobId: string, reason: AbortReason) {
    super('JOB_ABORTED', 'rejected', `Job ${jobId} should stop: ${ABORTS[reason]}`);
    this.reason = reason;
  }
}

export class WorkerClosedError extends HoldfastError {
  constructor(worker: string) {
    super('WORKER_CLOSED', 'rejected', `The worker ${worker} is closed. Make a new one to go on.`);
  }
}

function checkedDelay(delayMs: number): number {
  // Not what only looks like a number, such as the text of a Retry-After header: no store takes it, and then the attempt would not end.
  if (typeof delayMs === 'number' && delayMs >= 0 && delayMs <= LIMITS.delayMsMax) return delayMs;
  throw new InvalidArgumentError('delayMs', delayMs, `from 0 to ${LIMITS.delayMsMax} milliseconds`);
}

import { type EnqueueOptions, InvalidDefaultsError, InvalidJobError, type NewJob } from '@holdfast/contract';
import {
  checkedExtras,
  checkedShape,
  DEFAULT_BACKOFF,
  DEFAULT_MAX_ATTEMPTS,
  DEFAULT_PRIORITY,
} from '@holdfast/contract/rules';
import type { Writable } from '../writable.js';

/** Job names and their payloads, when nobody says more. */
export type JobMap = Record<string, unknown>;

export type JobName<Jobs extends object> = Extract<keyof Jobs, string>;

/** How one job is kept and retried: priority, delayMs or runAtMs, expiresInMs, maxAttempts, backoff, timeoutMs, headers, dedupe. */
export type JobOptions = Omit<NewJob, 'queue' | 'name' | 'payload'>;

/** What a queue may preset for its jobs. When a job starts is each job's own affair. */
export type JobDefaults = Pick<NewJob, 'priority' | 'maxAttempts' | 'backoff' | 'timeoutMs'>;

/** One entry of `enqueueMany`. */
export type JobToEnqueue<Jobs extends object> = {
  [Name in JobName<Jobs>]: { readonly name: Name; readonly payload: Jobs[Name] } & JobOptions;
}[JobName<Jobs>];

/** What all of them have in common. */
export type AnyJobToEnqueue = { readonly name: string; readonly payload: unknown } & JobOptions;

/** Complete because the compiler says so. */
const OPTIONS: Record<keyof JobOptions, true> = {
  priority: true,
  delayMs: true,
  runAtMs: true,
  expiresInMs: true,
  maxAttempts: true,
  backoff: true,
  timeoutMs: true,
  headers: true,
  dedupe: true,
};

const PRESETS = ['priority', 'maxAttempts', 'backoff', 'timeoutMs'] as const;

/**
 * A job with what was said of it, and the presets for what was not. An option that is there but `undefined` counts as not given, so that
 * `{ maxAttempts: order.maxAttempts }` keeps the default.
 *
 * Each property by name: on Node 20 a spread of each job costs as much as all else that an enqueue does.
 */
export function jobWith(job: JobHead, options: JobOptions = NOTHING, defaults: JobDefaults = NOTHING): NewJob {
  const made: Writable<NewJob> = job;
  const { priority = defaults.priority, maxAttempts = defaults.maxAttempts } = options;
  const { backoff = defaults.backoff, timeoutMs = defaults.timeoutMs } = options;
  if (priority !== undefined) made.priority = priority;
  if (maxAttempts !== undefined) made.maxAttempts = maxAttempts;
  if (backoff !== undefined) made.backoff = backoff;
  if (timeoutMs !== undefined) made.timeoutMs = timeoutMs;
  if (options === NOTHING) return made;
  const { delayMs, runAtMs, expiresInMs, headers, dedupe } = options;
  if (delayMs !== undefined) made.delayMs = delayMs;
  if (runAtMs !== undefined) made.runAtMs = runAtMs;
  if (expiresInMs !== undefined) made.expiresInMs = expiresInMs;
  if (headers !== undefined) made.headers = headers;
  if (dedupe !== undefined) made.dedupe = dedupe;
  return made;
}

type JobHead = Pick<NewJob, 'queue' | 'name' | 'payload'>;

const NOTHING: JobOptions & JobDefaults = {};

/** Of one enqueue, what concerns the call and not the job. Most say nothing about it. */
export function callOptionsOf<Transaction>(
  options: EnqueueOptions<Transaction> | undefined,
): EnqueueOptions<Transaction> | undefined {
  if (options === undefined) return undefined;
  const { requestId, transaction } = options;
  if (requestId === undefined && transaction === undefined) return undefined;
  const request = requestId === undefined ? {} : { requestId };
  return { ...request, ...(transaction === undefined ? {} : { transaction }) };
}

/** What may stand beside the options of a job: in those of an enqueue, and in an entry of a bulk. */
export const BESIDE_OF_CALL: ReadonlySet<string> = new Set(['requestId', 'transaction']);
export const BESIDE_OF_ENTRY: ReadonlySet<string> = new Set(['name', 'payload']);

/**
 * A misspelled option would be a job that runs at once instead of tomorrow, so that it is refused.
 * @throws InvalidJobError naming the option
 */
export function checkOptionNames(options: object, index: number, beside: ReadonlySet<string>): void {
  if (typeof options !== 'object' || options === null) {
    throw new InvalidJobError(index, 'options', `is ${String(options)}, but must be an object`);
  }
  for (const name in options) {
    if (beside.has(name) || Object.hasOwn(OPTIONS, name)) continue;
    throw new InvalidJobError(index, `option ${name}`, `is not known; there are ${Object.keys(OPTIONS).join(', ')}`);
  }
}

/** @throws InvalidDefaultsError naming the queue and the field, before any job meets them. */
export function checkDefaults(queue: string, defaults: JobDefaults): void {
  if (typeof defaults !== 'object' || defaults === null || Array.isArray(defaults)) {
    throw new InvalidDefaultsError(queue, 'they', `must be an object with some of ${PRESETS.join(', ')}`);
  }
  const unknown = Object.keys(defaults).find((name) => !PRESETS.some((preset) => preset === name));
  if (unknown !== undefined) {
    throw new InvalidDefaultsError(queue, unknown, `is not known; there are ${PRESETS.join(', ')}`);
  }
  const { priority = DEFAULT_PRIORITY, maxAttempts = DEFAULT_MAX_ATTEMPTS, backoff = DEFAULT_BACKOFF } = defaults;
  try {
    checkedShape({ queue, name: 'any', priority, maxAttempts, backoff }, 0);
    checkedExtras(defaults, 0);
  } catch (error) {
    if (error instanceof InvalidJobError && error.field !== 'queue') {
      throw new InvalidDefaultsError(queue, error.field, error.problem);
    }
    throw error;
  }
}

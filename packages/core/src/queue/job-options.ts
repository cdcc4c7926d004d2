import type { NewJob } from '@holdfast/contract';

/** Job names and their payloads, when nobody says more. */
export type JobMap = Record<string, unknown>;

export type JobName<Jobs extends object> = Extract<keyof Jobs, string>;

/** How one job is kept and retried: priority, delayMs or runAtMs, maxAttempts, backoff. */
export type JobOptions = Omit<NewJob, 'queue' | 'name' | 'payload'>;

/** What a queue may preset for its jobs. When a job starts is each job's own affair. */
export type JobDefaults = Pick<NewJob, 'priority' | 'maxAttempts' | 'backoff'>;

/** One entry of `enqueueMany`. */
export type JobToEnqueue<Jobs extends object> = {
  [Name in JobName<Jobs>]: { readonly name: Name; readonly payload: Jobs[Name] } & JobOptions;
}[JobName<Jobs>];

/** What all of them have in common. */
export type AnyJobToEnqueue = { readonly name: string; readonly payload: unknown } & JobOptions;

const PRESETS = ['priority', 'maxAttempts', 'backoff'] as const;

/**
 * An option that is there but `undefined` counts as not given, so that `{ maxAttempts: order.maxAttempts }` keeps the
 * default.
 */
export function withDefaults(options: JobOptions | undefined, defaults: JobDefaults): JobOptions {
  if (options === undefined) return defaults;
  const missing = PRESETS.filter((preset) => options[preset] === undefined && defaults[preset] !== undefined);
  if (missing.length === 0) return options;
  return { ...options, ...Object.fromEntries(missing.map((preset) => [preset, defaults[preset]])) };
}

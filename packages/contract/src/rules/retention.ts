import type { JobState } from '../job.js';
import type {
  QueueRetention,
  QueueRetentionOptions,
  Retention,
  RetentionBounds,
  RetentionOptions,
} from '../retention.js';
import { checkKeys, checkText, checkWhole } from './call-checks.js';
import { STORE_LIMITS as LIMITS } from './limits.js';

const HOUR_MS = 3_600_000;
const STATES = ['completed', 'cancelled', 'dead'] as const;
const BOUNDS = ['count', 'ageMs', 'bytes'] as const;

export const DEFAULT_RETENTION: Retention = {
  completed: { count: 1000, ageMs: 24 * HOUR_MS, bytes: null },
  cancelled: { count: 1000, ageMs: 24 * HOUR_MS, bytes: null },
  dead: { count: 100_000, ageMs: 14 * 24 * HOUR_MS, bytes: null },
  queues: {},
};

/** Jobs are forgotten at whole multiples of a hundredth of their age, at most of this, so that one wake-up serves many. */
const GRAIN_MS_MAX = 60_000;

/** @throws InvalidArgumentError, also for a name that means nothing, such as a misspelt state */
export function checkedRetention(options: RetentionOptions | undefined, argument = 'retention'): Retention {
  if (options === undefined) return DEFAULT_RETENTION;
  checkKeys(argument, options, [...STATES, 'queues']);
  const others = checkedQueue(argument, options, DEFAULT_RETENTION);
  const queues: Record<string, QueueRetention> = {};
  checkKeys(`${argument}.queues`, options.queues ?? {});
  for (const [name, given] of Object.entries(options.queues ?? {})) {
    checkText(`${argument}.queues`, name, LIMITS.queueNameBytesMax);
    const place = `${argument}.queues[${JSON.stringify(name)}]`;
    checkKeys(place, given, STATES);
    // Not by assignment: a queue may be called __proto__.
    const value = checkedQueue(place, given, others);
    Object.defineProperty(queues, name, { value, enumerable: true });
  }
  return { ...others, queues };
}

/** What is kept of one queue. */
export function retentionOf(retention: Retention, queue: string): QueueRetention {
  return Object.hasOwn(retention.queues, queue) ? retention.queues[queue]! : retention;
}

/** What is kept of a queue in this state; `undefined` for states in which every job is kept. */
export function boundsOf(retention: QueueRetention, state: JobState): RetentionBounds | undefined {
  return state === 'completed' || state === 'cancelled' || state === 'dead' ? retention[state] : undefined;
}

/**
 * The wall-clock time at which a job that ended then is forgotten for its age: its age later, rounded up to a whole multiple of a
 * hundredth of the age or of a minute, whichever is less. Every store keeps to it.
 */
export function keptUntilMs(endedAtMs: number, ageMs: number): number {
  const grainMs = Math.max(1, Math.min(GRAIN_MS_MAX, Math.floor(ageMs / 100)));
  return Math.ceil((endedAtMs + ageMs) / grainMs) * grainMs;
}

function checkedQueue(argument: string, options: QueueRetentionOptions, defaults: QueueRetention): QueueRetention {
  return {
    completed: checkedBounds(`${argument}.completed`, options.completed, defaults.completed),
    cancelled: checkedBounds(`${argument}.cancelled`, options.cancelled, defaults.cancelled),
    dead: checkedBounds(`${argument}.dead`, options.dead, defaults.dead),
  };
}

function checkedBounds(
  argument: string,
  given: Partial<RetentionBounds> | undefined,
  defaults: RetentionBounds,
): RetentionBounds {
  if (given === undefined) return defaults;
  checkKeys(argument, given, BOUNDS);
  const { count = defaults.count, ageMs = defaults.ageMs, bytes = defaults.bytes } = given;
  checkWhole(`${argument}.count`, count, 0, LIMITS.retentionCountMax);
  if (ageMs !== null) checkWhole(`${argument}.ageMs`, ageMs, 1, LIMITS.retentionAgeMsMax);
  if (bytes !== null) checkWhole(`${argument}.bytes`, bytes, 0, Number.MAX_SAFE_INTEGER);
  return { count, ageMs, bytes };
}

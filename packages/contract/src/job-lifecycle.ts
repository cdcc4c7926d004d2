import type { JobState } from './job.js';

/** All events, in the order of docs/job-lifecycle.md. */
export const JOB_EVENTS = [
  'due',
  'claim',
  'ack',
  'retry',
  'die',
  'release',
  'redrive',
  'cancel',
  'expire',
  'runNow',
  'reprioritise',
  'remove',
  'replace',
] as const;

/** All that can happen to a stored job. */
export type JobEvent = (typeof JOB_EVENTS)[number];

/**
 * The state after an event; `refused`: nothing changes and the caller is told; `forgotten`: the store no longer knows the job. Total on
 * purpose: a state or an event that is added here without its row or column does not compile. `retry` and `die` are what a
 * failure, an expired lease or an ended process turn into once the attempts are counted; `release` and `replace` may also lead to
 * `scheduled` when they carry a delay, and `redrive` always makes a job ready. docs/job-lifecycle.md shows the same table with
 * the reasons.
 */
export const LIFECYCLE: Record<JobState, Record<JobEvent, JobState | 'refused' | 'forgotten'>> = {
  scheduled: {
    due: 'ready',
    claim: 'refused',
    ack: 'refused',
    retry: 'refused',
    die: 'refused',
    release: 'refused',
    redrive: 'refused',
    cancel: 'cancelled',
    expire: 'cancelled',
    runNow: 'ready',
    reprioritise: 'scheduled',
    remove: 'forgotten',
    replace: 'ready',
  },
  ready: {
    due: 'refused',
    claim: 'leased',
    ack: 'refused',
    retry: 'refused',
    die: 'refused',
    release: 'refused',
    redrive: 'refused',
    cancel: 'cancelled',
    expire: 'cancelled',
    runNow: 'refused',
    reprioritise: 'ready',
    remove: 'forgotten',
    replace: 'ready',
  },
  leased: {
    due: 'refused',
    claim: 'refused',
    ack: 'completed',
    retry: 'scheduled',
    die: 'dead',
    release: 'ready',
    redrive: 'refused',
    cancel: 'cancelled',
    expire: 'refused',
    runNow: 'refused',
    reprioritise: 'refused',
    remove: 'refused',
    replace: 'refused',
  },
  completed: {
    due: 'refused',
    claim: 'refused',
    ack: 'refused',
    retry: 'refused',
    die: 'refused',
    release: 'refused',
    redrive: 'refused',
    cancel: 'refused',
    expire: 'refused',
    runNow: 'refused',
    reprioritise: 'refused',
    remove: 'forgotten',
    replace: 'refused',
  },
  dead: {
    due: 'refused',
    claim: 'refused',
    ack: 'refused',
    retry: 'refused',
    die: 'refused',
    release: 'refused',
    redrive: 'ready',
    cancel: 'refused',
    expire: 'refused',
    runNow: 'refused',
    reprioritise: 'refused',
    remove: 'forgotten',
    replace: 'refused',
  },
  cancelled: {
    due: 'refused',
    claim: 'refused',
    ack: 'refused',
    retry: 'refused',
    die: 'refused',
    release: 'refused',
    redrive: 'refused',
    cancel: 'refused',
    expire: 'refused',
    runNow: 'refused',
    reprioritise: 'refused',
    remove: 'forgotten',
    replace: 'refused',
  },
};

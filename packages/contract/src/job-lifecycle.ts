import type { JobState } from './job.js';

/** All that can happen to a stored job. */
export type JobEvent = 'due' | 'claim' | 'ack' | 'retry' | 'die' | 'release' | 'redrive';

/** All events, in the order of docs/job-lifecycle.md. */
export const JOB_EVENTS: readonly JobEvent[] = ['due', 'claim', 'ack', 'retry', 'die', 'release', 'redrive'];

/**
 * The state after an event, or `refused`. Total on purpose: a state or an event that is added here without its
 * row or column does not compile. `retry` and `die` are what a failure, an expired lease or an ended process turn
 * into once the attempts are counted; `release` may also lead to `scheduled` when it carries a delay, and `redrive`
 * always makes a job ready. docs/job-lifecycle.md shows the same table with the reasons.
 */
export const LIFECYCLE: Record<JobState, Record<JobEvent, JobState | 'refused'>> = {
  scheduled: {
    due: 'ready',
    claim: 'refused',
    ack: 'refused',
    retry: 'refused',
    die: 'refused',
    release: 'refused',
    redrive: 'refused',
  },
  ready: {
    due: 'refused',
    claim: 'leased',
    ack: 'refused',
    retry: 'refused',
    die: 'refused',
    release: 'refused',
    redrive: 'refused',
  },
  leased: {
    due: 'refused',
    claim: 'refused',
    ack: 'completed',
    retry: 'scheduled',
    die: 'dead',
    release: 'ready',
    redrive: 'refused',
  },
  completed: {
    due: 'refused',
    claim: 'refused',
    ack: 'refused',
    retry: 'refused',
    die: 'refused',
    release: 'refused',
    redrive: 'refused',
  },
  dead: {
    due: 'refused',
    claim: 'refused',
    ack: 'refused',
    retry: 'refused',
    die: 'refused',
    release: 'refused',
    redrive: 'ready',
  },
  cancelled: {
    due: 'refused',
    claim: 'refused',
    ack: 'refused',
    retry: 'refused',
    die: 'refused',
    release: 'refused',
    redrive: 'refused',
  },
};

import { type ActOutcome, type JobState, LIFECYCLE } from '@holdfast/contract';
import type { JobAct } from './job-act.js';
import type { MemoryJob } from './memory-job.js';
import type { SelectedJobs } from './selected-jobs.js';

/** Does an act to those of the jobs whose state allows it; counts the rest. */
export function actOnSelected({ jobs, next }: SelectedJobs, wanted: JobAct, act: (job: MemoryJob) => void): ActOutcome {
  const skipped: Partial<Record<JobState | 'missing', number>> = {};
  const skip = (why: JobState | 'missing') => {
    skipped[why] = (skipped[why] ?? 0) + 1;
  };
  let done = 0;
  for (const job of jobs) {
    if (job === undefined) skip('missing');
    else if (LIFECYCLE[job.state][wanted.kind] === 'refused' || isThere(job, wanted)) skip(job.state);
    else {
      act(job);
      done++;
    }
  }
  return { matched: jobs.length, done, skipped, ...(next === undefined ? {} : { next }) };
}

function isThere({ shape }: MemoryJob, act: JobAct): boolean {
  return act.kind === 'transfer' && shape.queue === act.queue;
}

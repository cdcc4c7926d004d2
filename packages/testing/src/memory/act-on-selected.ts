import { type ActOutcome, type JobEvent, type JobState, LIFECYCLE, type Selection } from '@holdfast/contract';
import type { JobBook } from './job-book.js';
import type { MemoryJob } from './memory-job.js';

/** What operators do to many jobs. */
export type MemoryAct = Extract<JobEvent, 'redrive' | 'cancel' | 'remove' | 'runNow' | 'reprioritise'>;

/** Acts on what allows it of a selection, the oldest first, and counts the rest. */
export function actOnSelected(
  book: JobBook,
  selection: Selection,
  act: MemoryAct,
  apply: (job: MemoryJob) => void,
): ActOutcome {
  const skipped: Partial<Record<JobState | 'missing', number>> = {};
  let done = 0;
  const jobs = selectedJobs(book, selection);
  for (const job of jobs) {
    if (job !== undefined && LIFECYCLE[job.state][act] !== 'refused') {
      apply(job);
      done++;
      continue;
    }
    const why = job?.state ?? 'missing';
    skipped[why] = (skipped[why] ?? 0) + 1;
  }
  return { matched: jobs.length, done, skipped };
}

function selectedJobs(book: JobBook, selection: Selection): (MemoryJob | undefined)[] {
  if ('ids' in selection) return [...new Set(selection.ids)].map((id) => book.find(id));
  const { state, queue, name } = selection.all;
  return book.jobs.filter(
    (job) =>
      job.state === state &&
      job.shape.queue === (queue ?? job.shape.queue) &&
      job.shape.name === (name ?? job.shape.name),
  );
}

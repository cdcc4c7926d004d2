import { type ActOutcome, type JobState, LIFECYCLE, type Selection } from '@holdfast/contract';
import type { JobAct, JobBook } from './job-book.js';
import type { MemoryJob } from './memory-job.js';

/** Does an act to the jobs of a selection whose state allows it, in order of their enqueue or as they were named; counts the rest. */
export function actOnSelected(
  book: JobBook,
  selection: Selection,
  { kind }: JobAct,
  act: (job: MemoryJob) => void,
): ActOutcome {
  const skipped: Partial<Record<JobState | 'missing', number>> = {};
  const skip = (why: JobState | 'missing') => {
    skipped[why] = (skipped[why] ?? 0) + 1;
  };
  const jobs = selected(book, selection);
  let done = 0;
  for (const job of jobs) {
    if (job === undefined) skip('missing');
    else if (LIFECYCLE[job.state][kind] === 'refused') skip(job.state);
    else {
      act(job);
      done++;
    }
  }
  return { matched: jobs.length, done, skipped };
}

function selected(book: JobBook, selection: Selection): readonly (MemoryJob | undefined)[] {
  if ('ids' in selection) return [...new Set(selection.ids)].map((id) => book.find(id));
  const { state, queue, name } = selection.all;
  return book.jobs.filter(
    (job) =>
      job.state === state &&
      (queue === undefined || job.shape.queue === queue) &&
      (name === undefined || job.shape.name === name),
  );
}

import type { ActOutcome, JobState, Selection } from '@holdfast/contract';
import type { JobBook } from './job-book.js';
import type { MemoryJob } from './memory-job.js';

/** Redrives what is dead of a selection, in order, and counts the rest. */
export function redriveSelected(book: JobBook, selection: Selection, redrive: (job: MemoryJob) => void): ActOutcome {
  if ('ids' in selection) return redriveById(book, selection.ids, redrive);
  const { queue } = selection.allDead;
  const dead = book.jobs.filter(
    ({ state, shape }) => state === 'dead' && (queue === undefined || shape.queue === queue),
  );
  for (const job of dead) redrive(job);
  return { matched: dead.length, done: dead.length, skipped: {} };
}

function redriveById(book: JobBook, ids: readonly string[], redrive: (job: MemoryJob) => void): ActOutcome {
  const skipped: Partial<Record<JobState | 'missing', number>> = {};
  let done = 0;
  for (const id of ids) {
    const job = book.find(id);
    if (job?.state === 'dead') {
      redrive(job);
      done++;
      continue;
    }
    const why = job?.state ?? 'missing';
    skipped[why] = (skipped[why] ?? 0) + 1;
  }
  return { matched: ids.length, done, skipped };
}

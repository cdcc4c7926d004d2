import type { JobState } from '@holdfast/contract';
import type { JobTable } from '@holdfast/core/records';

export interface JobFigures {
  readonly counts: Readonly<Record<JobState, number>>;
  readonly queues: readonly { readonly queue: string; readonly counts: Readonly<Record<JobState, number>> }[];
}

/** How many jobs a replay ended with, by state and by queue. */
export function countJobs(table: JobTable): JobFigures {
  const queues = [...table.shapes.queues()].map((queue) => ({ queue: queue.name, counts: queue.counts() }));
  const counts = { scheduled: 0, ready: 0, leased: 0, completed: 0, dead: 0, cancelled: 0 };
  for (const queue of queues) {
    for (const state of states(counts)) counts[state] += queue.counts[state];
  }
  return { counts, queues: queues.toSorted((a, b) => (a.queue < b.queue ? -1 : 1)) };
}

/** `12 ready, 3 dead`; states without a job are left out. */
export function countsText(counts: Readonly<Record<JobState, number>>): string {
  const parts = states(counts)
    .filter((state) => counts[state] > 0)
    .map((state) => `${counts[state].toLocaleString('en-US')} ${state}`);
  return parts.length === 0 ? 'none' : parts.join(', ');
}

function states(counts: Readonly<Record<JobState, number>>): JobState[] {
  return Object.keys(counts) as JobState[];
}

import { JOB_STATES, type JobState, type QueueSummary } from '@holdfast/contract';
import type { JobBook } from './job-book.js';
import type { MemoryJob } from './memory-job.js';

/** Every queue that ever held a job or was paused, by name. */
export function queueSummaries(book: JobBook, wallMs: number): QueueSummary[] {
  const names = [...new Set([...book.throughput.keys(), ...book.pauses.names])].sort((one, other) =>
    one < other ? -1 : 1,
  );
  return names.map((name) => {
    const jobs = book.jobs.filter(({ shape }) => shape.queue === name);
    const ready = jobs.filter(({ state }) => state === 'ready').map(({ runAtMs }) => runAtMs);
    const paused = book.pauses.of(name);
    return {
      name,
      counts: countsOf(jobs),
      retrying: jobs.filter(({ state, attempts }) => state === 'scheduled' && attempts > 0).length,
      ...(ready.length === 0 ? {} : { oldestReadyAtMs: Math.min(...ready) }),
      throughput: book.throughputOf(name).read(wallMs),
      ...(paused === undefined ? {} : { paused }),
    };
  });
}

function countsOf(jobs: readonly MemoryJob[]): Record<JobState, number> {
  const count = (state: JobState) => jobs.filter((job) => job.state === state).length;
  return Object.fromEntries(JOB_STATES.map((state) => [state, count(state)])) as Record<JobState, number>;
}

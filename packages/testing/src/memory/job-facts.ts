import type { CheckedDedupe } from '@holdfast/contract/rules';
import type { MemoryJob } from './memory-job.js';

/** What an event says of a job. */
export function factsOf({ id, shape: { queue, name } }: MemoryJob) {
  return { id, queue, name };
}

/** For sorting: which one is claimed first. */
export function inOrder(one: MemoryJob, other: MemoryJob): number {
  return one.shape.priority - other.shape.priority || one.rankAtMs - other.rankAtMs || one.number - other.number;
}

/** Ready jobs of its queue that come before it; `undefined` for one that is not ready. */
export function jobsAhead(jobs: readonly MemoryJob[], job: MemoryJob): number | undefined {
  if (job.state !== 'ready') return undefined;
  const { queue } = job.shape;
  return jobs.filter((other) => other.state === 'ready' && other.shape.queue === queue && inOrder(other, job) < 0)
    .length;
}

export function digits(value: number, length: number): string {
  return String(value).padStart(length, '0');
}

export function keptDedupe({ key, forMs }: CheckedDedupe, wallMs: number): NonNullable<MemoryJob['dedupe']> {
  return { key, untilMs: forMs === 0 ? 0 : wallMs + forMs };
}

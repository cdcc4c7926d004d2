import type { Retention, RetentionBounds } from '@holdfast/contract';
import { boundsOf, keptUntilMs, payloadBytes, retentionOf } from '@holdfast/contract/rules';
import type { MemoryJob } from './memory-job.js';

/** What a store keeps of jobs that came to an end. */
export interface Keeping {
  readonly forgotten: ReadonlySet<MemoryJob>;
  /** Wall-clock time at which to look again; Infinity: when another job ends. */
  readonly nextMs: number;
}

/** Which jobs have to be forgotten now. */
export function keepingAt(jobs: readonly MemoryJob[], retention: Retention, wallMs: number): Keeping {
  const forgotten = new Set<MemoryJob>();
  let nextMs = Number.POSITIVE_INFINITY;
  for (const ended of endedJobs(jobs)) {
    const [{ shape, state }] = ended;
    const bounds = boundsOf(retentionOf(retention, shape.queue), state);
    if (bounds === undefined) continue;
    nextMs = Math.min(nextMs, lookAt(ended, bounds, wallMs, forgotten));
  }
  return { forgotten, nextMs };
}

/** The time until which it is kept for its age. */
export function keptUntilMsOf({ shape, state, updatedAtMs }: MemoryJob, retention: Retention): number | undefined {
  const ageMs = boundsOf(retentionOf(retention, shape.queue), state)?.ageMs ?? null;
  return ageMs === null ? undefined : keptUntilMs(updatedAtMs, ageMs);
}

/** A job that seems to end in the future, because the clock was set back since, is as old as those after it. */
function lookAt(ended: Ended, bounds: RetentionBounds, wallMs: number, forgotten: Set<MemoryJob>): number {
  const { count, ageMs } = bounds;
  const until = (atMs: number) => (ageMs === null ? Number.POSITIVE_INFINITY : keptUntilMs(atMs, ageMs));
  let bytes = ended.reduce((sum, job) => sum + bytesOf(job), 0);
  for (const [index, job] of ended.entries()) {
    const isOver = ended.length - index > count || bytes > (bounds.bytes ?? bytes);
    const inFuture = job.updatedAtMs > wallMs;
    if (!isOver && !inFuture && until(job.updatedAtMs) > wallMs) return until(job.updatedAtMs);
    bytes -= bytesOf(job);
    if (isOver || !inFuture) for (const earlier of ended.slice(0, index + 1)) forgotten.add(earlier);
  }
  return ended.every((job) => forgotten.has(job)) ? Number.POSITIVE_INFINITY : until(wallMs);
}

type Ended = readonly [MemoryJob, ...MemoryJob[]];

/** Those of one queue and state together, in the order of their ends. */
function endedJobs(jobs: readonly MemoryJob[]): Ended[] {
  const groups = new Map<string, [MemoryJob, ...MemoryJob[]]>();
  for (const job of jobs) {
    const key = `${job.state} ${job.shape.queue}`;
    const group = groups.get(key);
    if (job.endedNumber === undefined) continue;
    if (group === undefined) groups.set(key, [job]);
    else group.push(job);
  }
  return [...groups.values()].map((group) => group.sort((one, other) => endOf(one) - endOf(other)));
}

function endOf({ endedNumber = 0 }: MemoryJob): number {
  return endedNumber;
}

function bytesOf({ payload, result }: MemoryJob): number {
  return payloadBytes(result === undefined ? [payload] : [payload, result]);
}

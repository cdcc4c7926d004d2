import type { JobDetail, JobStore, QueueSummary, StoreHealth, WhyReason, WorkerSummary } from '@holdfast/contract';

/** A worker that was not seen for so long, waits for nothing and holds nothing, is not there to take a job. */
const ABSENT_MS = 60_000;

/** What the store knows of those who could take a job. */
export interface WhyFacts {
  readonly nowMs: number;
  readonly health: StoreHealth;
  readonly queue: QueueSummary | undefined;
  /** `undefined`: the store does not know its workers. */
  readonly workers: readonly WorkerSummary[] | undefined;
}

export async function whyFacts(store: JobStore, job: JobDetail, nowMs: number): Promise<WhyFacts> {
  const isOver = job.state === 'completed' || job.state === 'dead' || job.state === 'cancelled';
  const [[queue], workers] = isOver
    ? [[], undefined]
    : await Promise.all([store.queues([job.queue]), store.workers?.()]);
  return { nowMs, health: store.health(), queue, workers };
}

/** Why a job is not running, or what keeps it so, from the facts alone: the most important reason first. */
export function whyOf(job: JobDetail, facts: WhyFacts): WhyReason[] {
  switch (job.state) {
    case 'leased':
      return leased(job);
    case 'scheduled':
      return [...down(facts), ...paused(facts), waiting(job)];
    case 'ready':
      return ready(job, facts);
    default:
      return [];
  }
}

function ready(job: JobDetail, facts: WhyFacts): WhyReason[] {
  const reasons = [...down(facts), ...paused(facts), ...nobody(job, facts)];
  const { ahead } = job;
  if (ahead !== undefined && ahead.value > 0) reasons.push({ kind: 'behind', jobs: ahead });
  return reasons.length === 0 ? [{ kind: 'next' }] : reasons;
}

function down({ health: { status, detail } }: WhyFacts): WhyReason[] {
  if (status === 'open' || status === 'full') return [];
  return [{ kind: 'storeDown', status, ...(detail === undefined ? {} : { detail }) }];
}

function paused({ queue }: WhyFacts): WhyReason[] {
  return queue?.paused === undefined ? [] : [{ kind: 'queuePaused', ...queue.paused }];
}

function waiting({ attempts, maxAttempts, runAtMs, lastError }: JobDetail): WhyReason {
  if (attempts === 0) return { kind: 'notDue', dueAtMs: runAtMs };
  const error = lastError === undefined ? {} : { error: lastError };
  return { kind: 'retry', attempts, maxAttempts, dueAtMs: runAtMs, ...error };
}

function nobody({ queue, name }: JobDetail, { workers, nowMs }: WhyFacts): WhyReason[] {
  if (workers === undefined) return [];
  const there = workers.filter(
    (worker) =>
      worker.queues.includes(queue) && (worker.waiting || worker.busy > 0 || nowMs - worker.lastSeenAtMs < ABSENT_MS),
  );
  const able = there.filter(({ names }) => names === undefined || names.includes(name));
  if (able.length === 0) return [{ kind: 'noHandler', queueWorkers: there.length }];
  if (able.some(({ waiting: waits }) => waits) || able.some(({ busy }) => busy === 0)) return [];
  return [{ kind: 'workersBusy', workers: able.length, busy: able.reduce((sum, { busy }) => sum + busy, 0) }];
}

function leased({ lease, attempts, maxAttempts }: JobDetail): WhyReason[] {
  if (lease === undefined) return [];
  const { worker, leasedAtMs, leaseMs, remainingMs } = lease;
  return [
    {
      kind: 'leased',
      worker,
      sinceMs: leasedAtMs,
      attempt: attempts,
      heartbeatAgeMs: Math.max(0, leaseMs - remainingMs),
      remainingMs,
      // biome-ignore lint/suspicious/noThenProperty: a word of the contract, never awaited
      then: maxAttempts !== null && attempts >= maxAttempts ? 'dead' : 'scheduled',
    },
  ];
}

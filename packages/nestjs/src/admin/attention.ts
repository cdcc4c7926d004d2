import type {
  AttentionFact,
  AttentionItem,
  DeadGroup,
  LeaseExpiry,
  OverviewAnswer,
  StoreHealth,
  WorkerSummary,
} from '@holdfast/contract';
import { isInternalQueue } from '@holdfast/contract/rules';

/** What the store has told. */
export interface AttentionFacts {
  readonly nowMs: number;
  readonly health: StoreHealth;
  readonly queues: OverviewAnswer['queues'];
  readonly expiries: readonly LeaseExpiry[];
  readonly workers: readonly WorkerSummary[];
  /** Those that are new. */
  readonly groups: readonly DeadGroup[];
}

/** An error is new for so long after the first job that it killed. */
export const NEW_MS = 900_000;
const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;
/** Whoever says nothing for so long does not extend leases either. */
const SILENT_MS = 90_000;

/** What a person should look at, the worst first. */
export function attentionOf(facts: AttentionFacts): AttentionItem[] {
  return [
    ...items('danger', storeTroubles(facts)),
    ...items('danger', newErrors(facts)),
    ...items('danger', deadJobs(facts)),
    ...items('danger', silentWorkers(facts)),
    ...items('danger', idleQueues(facts)),
    ...items('caution', pausedQueues(facts)),
    ...items('caution', recentExpiries(facts)),
    ...items('caution', reopenings(facts)),
  ];
}

function items(tone: AttentionItem['tone'], facts: readonly AttentionFact[]): AttentionItem[] {
  return facts.map((fact) => ({ tone, ...fact }));
}

/** A full disk above all: jobs are worked off as ever, so nothing else tells that new ones are refused. */
function storeTroubles({ health: { status, detail } }: AttentionFacts): AttentionFact[] {
  if (status === 'open') return [];
  return [{ kind: 'storeNotOpen', status, ...(detail === undefined ? {} : { detail }) }];
}

/** What killed nobody before: a deploy, or something outside that broke. */
function newErrors({ groups }: AttentionFacts): AttentionFact[] {
  return groups.map(({ fingerprint, errorClass, message, count, firstDeadAtMs }) => ({
    kind: 'newError',
    error: { fingerprint, errorClass, message, count, firstDeadAtMs },
  }));
}

function deadJobs({ queues }: AttentionFacts): AttentionFact[] {
  const affected = queues.filter(({ counts }) => counts.dead > 0);
  const jobs = affected.reduce((sum, { counts }) => sum + counts.dead, 0);
  const [first] = affected;
  if (first === undefined) return [];
  return [{ kind: 'deadJobs', jobs, queues: affected.length, ...(affected.length === 1 ? { queue: first.name } : {}) }];
}

/** Only those that have jobs: one that was stopped in order has none. */
function silentWorkers({ workers, nowMs }: AttentionFacts): AttentionFact[] {
  return workers
    .filter(({ waiting, busy, lastSeenAtMs }) => !waiting && busy > 0 && nowMs - lastSeenAtMs > SILENT_MS)
    .map(({ name, busy, lastSeenAtMs }) => ({ kind: 'silentWorker', worker: name, busy, lastSeenAtMs }));
}

/** Ready jobs that wait for longer than a moment while nothing of their queue is leased. */
function idleQueues({ queues, nowMs }: AttentionFacts): AttentionFact[] {
  return queues.flatMap(({ name, counts, paused, oldestReadyAtMs = nowMs }): AttentionFact[] => {
    const isIdle = paused === undefined && counts.leased === 0 && nowMs - oldestReadyAtMs > MINUTE_MS;
    return isIdle ? [{ kind: 'nobodyWorks', queue: name, ready: counts.ready, oldestReadyAtMs }] : [];
  });
}

function pausedQueues({ queues }: AttentionFacts): AttentionFact[] {
  return queues.flatMap(({ name, paused }): AttentionFact[] =>
    paused === undefined ? [] : [{ kind: 'pausedQueue', queue: name, paused }],
  );
}

function recentExpiries({ expiries, nowMs }: AttentionFacts): AttentionFact[] {
  // The page that this leads to lists none of Holdfast's own either.
  const recent = expiries.filter(({ queue, atMs }) => !isInternalQueue(queue) && nowMs - atMs < HOUR_MS);
  const [latest] = recent;
  return latest === undefined ? [] : [{ kind: 'leaseExpiries', expiries: recent.length, latestAtMs: latest.atMs }];
}

function reopenings({ health: { reopened } }: AttentionFacts): AttentionFact[] {
  return reopened === 0 ? [] : [{ kind: 'reopened', times: reopened }];
}

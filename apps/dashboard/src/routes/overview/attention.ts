import type { DeadGroup, LeaseExpiry, OverviewAnswer, WorkerSummary } from '@holdfast/contract';
import { token } from '../jobs/filter-tokens.js';
import { SILENT_MS } from '../leases/worker-silence.js';
import { overviewText } from './overview-text.js';

export interface Attention {
  readonly tone: 'danger' | 'caution';
  readonly text: string;
  readonly href: string;
}

/** What the server has told so far. */
export interface AttentionFacts {
  readonly overview: OverviewAnswer;
  readonly expiries?: readonly LeaseExpiry[] | undefined;
  readonly workers?: readonly WorkerSummary[] | undefined;
  readonly groups?: readonly DeadGroup[] | undefined;
}

const HOUR_MS = 3_600_000;
/** An error is new for so long after the first job that it killed. */
const NEW_MS = 900_000;

/** What a person should look at, from the facts at hand. The worst first. */
export function attentionOf(
  { overview, expiries = [], workers = [], groups = [] }: AttentionFacts,
  nowMs: number,
): readonly Attention[] {
  return [
    ...newErrors(groups, nowMs),
    ...deadJobs(overview),
    ...silentWorkers(workers, nowMs),
    ...idleQueues(overview),
    ...pausedQueues(overview),
    ...recentExpiries(expiries, nowMs),
    ...reopenings(overview),
  ];
}

/** What killed nobody before: a deploy, or something outside that broke. */
function newErrors(groups: readonly DeadGroup[], nowMs: number): readonly Attention[] {
  return groups
    .filter((group) => nowMs - group.firstDeadAtMs < NEW_MS)
    .map(({ errorClass, message, count, firstDeadAtMs, fingerprint }) => ({
      tone: 'danger',
      text: overviewText.newError(errorClass, message, count, nowMs - firstDeadAtMs),
      href: `/jobs?state=dead&q=${encodeURIComponent(token('group', fingerprint))}`,
    }));
}

/** Only those that have jobs: one that was stopped in order has none. */
function silentWorkers(workers: readonly WorkerSummary[], nowMs: number): readonly Attention[] {
  return workers
    .filter(({ waiting, busy, lastSeenAtMs }) => !waiting && busy > 0 && nowMs - lastSeenAtMs > SILENT_MS)
    .map(({ name, busy, lastSeenAtMs }) => ({
      tone: 'danger',
      text: overviewText.silentWorker(name, busy, nowMs - lastSeenAtMs),
      href: '/leases',
    }));
}

function deadJobs({ queues }: OverviewAnswer): readonly Attention[] {
  const affected = queues.filter((queue) => queue.counts.dead > 0);
  const dead = affected.reduce((total, queue) => total + queue.counts.dead, 0);
  const only = affected.length === 1 ? affected[0] : undefined;
  if (dead === 0) return [];
  const text = overviewText.dead(dead, affected.length);
  return only === undefined
    ? [{ tone: 'danger', text, href: '/dead' }]
    : [
        {
          tone: 'danger',
          text: `${text} ${overviewText.deadIn(only.name)}`,
          href: `/dead?queue=${encodeURIComponent(only.name)}`,
        },
      ];
}

/** Ready jobs that wait for longer than a moment while nothing of their queue is leased. */
function idleQueues({ queues, serverTimeMs }: OverviewAnswer): readonly Attention[] {
  return queues
    .filter(
      (queue) =>
        queue.paused === undefined &&
        queue.counts.leased === 0 &&
        serverTimeMs - (queue.oldestReadyAtMs ?? serverTimeMs) > 60_000,
    )
    .map((queue) => ({
      tone: 'danger',
      text: overviewText.nobodyWorks(queue.name, queue.counts.ready),
      href: `/jobs?state=ready&queue=${encodeURIComponent(queue.name)}`,
    }));
}

/** A pause is an act of somebody, so it is no alarm; forgetting it is. */
function pausedQueues({ queues, serverTimeMs }: OverviewAnswer): readonly Attention[] {
  return queues.flatMap(({ name, paused }) =>
    paused === undefined
      ? []
      : [
          {
            tone: 'caution' as const,
            text: overviewText.pausedQueue(name, paused, serverTimeMs),
            href: `/jobs?state=ready&queue=${encodeURIComponent(name)}`,
          },
        ],
  );
}

function recentExpiries(expiries: readonly LeaseExpiry[], nowMs: number): readonly Attention[] {
  const recent = expiries.filter((expiry) => nowMs - expiry.atMs < HOUR_MS);
  const latest = recent[0];
  if (latest === undefined) return [];
  return [{ tone: 'caution', text: overviewText.expiries(recent.length, nowMs - latest.atMs), href: '/leases' }];
}

function reopenings({ health }: OverviewAnswer): readonly Attention[] {
  if (health.reopened === 0) return [];
  return [{ tone: 'caution', text: overviewText.reopened(health.reopened), href: '/storage' }];
}

import type { LeaseExpiry, OverviewAnswer } from '@holdfast/contract';
import { overviewText } from './overview-text.js';

export interface Attention {
  readonly tone: 'danger' | 'caution';
  readonly text: string;
  readonly href: string;
}

const HOUR_MS = 3_600_000;

/** What a person should look at, from the facts at hand. The worst first. */
export function attentionOf(
  overview: OverviewAnswer,
  expiries: readonly LeaseExpiry[],
  nowMs: number,
): readonly Attention[] {
  return [
    ...deadJobs(overview),
    ...idleQueues(overview),
    ...pausedQueues(overview),
    ...recentExpiries(expiries, nowMs),
    ...reopenings(overview),
  ];
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

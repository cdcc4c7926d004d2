import type { AttentionItem } from '@holdfast/contract';
import { frameText } from '../../frame/frame-text.js';
import { token } from '../jobs/filter-tokens.js';
import { overviewText } from './overview-text.js';

/** What needs attention in words, and where to look at it. */
export interface AttentionLine {
  readonly tone: 'danger' | 'caution';
  readonly text: string;
  readonly href: string;
}

export function attentionLine(item: AttentionItem, nowMs: number): AttentionLine {
  return { tone: item.tone, ...wordsOf(item, nowMs) };
}

function wordsOf(item: AttentionItem, nowMs: number): Omit<AttentionLine, 'tone'> {
  switch (item.kind) {
    // The banner above every page has the detail.
    case 'storeNotOpen':
      return { text: frameText.storeHealth[item.status], href: '/storage' };
    case 'newError': {
      const { errorClass, message, count, firstDeadAtMs, fingerprint } = item.error;
      return {
        text: overviewText.newError(errorClass, message, count, nowMs - firstDeadAtMs),
        href: `/jobs?state=dead&q=${encodeURIComponent(token('group', fingerprint))}`,
      };
    }
    case 'deadJobs': {
      const { jobs, queues, queue } = item;
      const text = overviewText.dead(jobs, queues);
      if (queue === undefined) return { text, href: '/dead' };
      return { text: `${text} ${overviewText.deadIn(queue)}`, href: `/dead?queue=${encodeURIComponent(queue)}` };
    }
    case 'silentWorker':
      return { text: overviewText.silentWorker(item.worker, item.busy, nowMs - item.lastSeenAtMs), href: '/leases' };
    case 'nobodyWorks':
      return { text: overviewText.nobodyWorks(item.queue, item.ready), href: readyJobsOf(item.queue) };
    case 'pausedQueue':
      return { text: overviewText.pausedQueue(item.queue, item.paused, nowMs), href: readyJobsOf(item.queue) };
    case 'leaseExpiries':
      return { text: overviewText.expiries(item.expiries, nowMs - item.latestAtMs), href: '/leases' };
    case 'reopened':
      return { text: overviewText.reopened(item.times), href: '/storage' };
  }
}

function readyJobsOf(queue: string): string {
  return `/jobs?state=ready&queue=${encodeURIComponent(queue)}`;
}

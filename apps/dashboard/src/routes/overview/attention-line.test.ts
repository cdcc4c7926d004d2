import type { AttentionItem } from '@holdfast/contract';
import { expect, it } from 'vitest';
import { attentionLine } from './attention-line.js';

const NOW = Date.UTC(2026, 10, 30, 10);

it.each<[AttentionItem, string, string]>([
  [
    { tone: 'danger', kind: 'storeNotOpen', status: 'full', detail: 'The disk has no room left.' },
    'The disk is full: no new jobs are taken',
    '/storage',
  ],
  [
    {
      tone: 'danger',
      kind: 'newError',
      error: {
        fingerprint: '1-abc',
        errorClass: 'ConnectionError',
        message: 'connect ECONNREFUSED <ip>',
        count: 12,
        firstDeadAtMs: NOW - 120_000,
      },
    },
    'New error 2 min ago (12 dead jobs): ConnectionError: connect ECONNREFUSED <ip>',
    '/jobs?state=dead&q=group%3A1-abc',
  ],
  [{ tone: 'danger', kind: 'deadJobs', jobs: 3, queues: 2 }, '3 dead jobs in 2 queues', '/dead'],
  [{ tone: 'danger', kind: 'deadJobs', jobs: 1, queues: 1, queue: 'a/b' }, '1 dead job in a/b', '/dead?queue=a%2Fb'],
  [
    { tone: 'danger', kind: 'silentWorker', worker: 'shop-a:4100', busy: 2, lastSeenAtMs: NOW - 120_000 },
    'shop-a:4100 has been silent for 2 min and has 2 jobs',
    '/leases',
  ],
  [
    { tone: 'danger', kind: 'nobodyWorks', queue: 'mail', ready: 7, oldestReadyAtMs: NOW - 61_000 },
    '7 ready jobs in mail and none leased: no worker claims there',
    '/jobs?state=ready&queue=mail',
  ],
  [
    { tone: 'caution', kind: 'pausedQueue', queue: 'mail', paused: { sinceMs: NOW, actor: 'olga', reason: 'deploy' } },
    'mail is paused by olga: deploy',
    '/jobs?state=ready&queue=mail',
  ],
  [
    { tone: 'caution', kind: 'leaseExpiries', expiries: 1, latestAtMs: NOW - 180_000 },
    '1 lease expired in the last hour, the latest 3 min ago',
    '/leases',
  ],
  [
    { tone: 'caution', kind: 'reopened', times: 2 },
    'The store was lost and reopened 2 times since the start',
    '/storage',
  ],
])('says what it is and leads there: %j', (item, text, href) => {
  expect(attentionLine(item, NOW)).toEqual({ tone: item.tone, text, href });
});

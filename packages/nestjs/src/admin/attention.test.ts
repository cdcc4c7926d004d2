import type { DeadGroup, LeaseExpiry, QueueSummary, WorkerSummary } from '@holdfast/contract';
import { expect, it } from 'vitest';
import { type AttentionFacts, attentionOf } from './attention.js';

const NOW = Date.UTC(2026, 10, 30, 10);
const QUIET: AttentionFacts = {
  nowMs: NOW,
  health: { status: 'open', reopened: 0 },
  queues: [],
  expiries: [],
  workers: [],
  groups: [],
};
const NOTHING = { scheduled: 0, ready: 0, leased: 0, completed: 0, dead: 0, cancelled: 0 };

function queue(
  name: string,
  counts: Partial<QueueSummary['counts']>,
  change: Partial<QueueSummary> = {},
): QueueSummary {
  const throughput = { fromMs: 0, stepMs: 10_000, enqueued: [], completed: [], failed: [] };
  return { name, counts: { ...NOTHING, ...counts }, retrying: 0, throughput, ...change };
}

function worker(change: Partial<WorkerSummary>): WorkerSummary {
  return {
    ...{ name: 'shop-a:4100', queues: ['mail'], busy: 2, free: 0, waiting: false, lastSeenAtMs: NOW - 120_000 },
    ...change,
  };
}

it('has nothing to say where nothing is known to be wrong', () => {
  const calm = queue('mail', { ready: 3, completed: 9 }, { oldestReadyAtMs: NOW - 59_000 });
  const busy = queue('print', { ready: 3, leased: 1 }, { oldestReadyAtMs: NOW - 90_000 });
  expect(attentionOf({ ...QUIET, queues: [calm, busy] })).toEqual([]);
});

it('names workers that are silent and hold jobs, not those that wait, were heard of or have stopped', () => {
  const workers = [worker({}), worker({ waiting: true }), worker({ lastSeenAtMs: NOW - 5_000 }), worker({ busy: 0 })];
  expect(attentionOf({ ...QUIET, workers })).toEqual([
    { tone: 'danger', kind: 'silentWorker', worker: 'shop-a:4100', busy: 2, lastSeenAtMs: NOW - 120_000 },
  ]);
});

it('names the queue of the dead where it is one', () => {
  const [mail, print] = [queue('mail', { dead: 2 }), queue('print', { dead: 1 })];
  expect(attentionOf({ ...QUIET, queues: [mail] })).toEqual([
    { tone: 'danger', kind: 'deadJobs', jobs: 2, queues: 1, queue: 'mail' },
  ]);
  expect(attentionOf({ ...QUIET, queues: [mail, print] })).toEqual([
    { tone: 'danger', kind: 'deadJobs', jobs: 3, queues: 2 },
  ]);
});

it('says first that the store is not as it should be, a full disk included', () => {
  const health = { status: 'full', detail: 'The disk of /data/queue has no room left.', reopened: 0 } as const;
  expect(attentionOf({ ...QUIET, health, queues: [queue('mail', { dead: 1 })] })).toEqual([
    { tone: 'danger', kind: 'storeNotOpen', status: 'full', detail: 'The disk of /data/queue has no room left.' },
    expect.objectContaining({ kind: 'deadJobs' }),
  ]);
});

it('puts what is wrong before what should be known', () => {
  const paused = { sinceMs: NOW - 1, actor: 'olga' };
  const group: DeadGroup = {
    ...{ fingerprint: '1-abc', errorClass: 'TypeError', message: 'x', count: 4, queues: [], names: [], samples: [] },
    ...{ firstDeadAtMs: NOW - 1000, lastDeadAtMs: NOW },
  };
  const expiry = {
    id: 'a-1',
    queue: 'mail',
    name: 'send',
    worker: 'w',
    attempt: 1,
    lateMs: 0,
    // biome-ignore lint/suspicious/noThenProperty: a word of the contract, never awaited
    then: 'scheduled',
  } as const;
  const all = attentionOf({
    ...QUIET,
    health: { status: 'open', reopened: 1 },
    queues: [
      queue('rests', { ready: 9 }, { paused, oldestReadyAtMs: NOW - 90_000 }),
      queue('waits', { ready: 5 }, { oldestReadyAtMs: NOW - 61_000 }),
      queue('kills', { dead: 4 }),
    ],
    expiries: [
      { ...expiry, atMs: NOW - 60_000 },
      { ...expiry, atMs: NOW - 3_599_000 },
      { ...expiry, atMs: NOW - 3_601_000 },
    ],
    workers: [worker({})],
    groups: [group],
  });
  expect(all.map(({ tone, kind }) => `${tone} ${kind}`)).toEqual([
    'danger newError',
    'danger deadJobs',
    'danger silentWorker',
    'danger nobodyWorks',
    'caution pausedQueue',
    'caution leaseExpiries',
    'caution reopened',
  ]);
  expect(all).toContainEqual({ tone: 'caution', kind: 'leaseExpiries', expiries: 2, latestAtMs: NOW - 60_000 });
  expect(all).toContainEqual({
    tone: 'danger',
    kind: 'nobodyWorks',
    queue: 'waits',
    ready: 5,
    oldestReadyAtMs: NOW - 61_000,
  });
});

it('counts the expired leases of jobs, not those of what Holdfast itself has left undone', () => {
  const expiry = { id: 'abcde-1', name: 'run', worker: 'shop-a:4100', attempt: 1, atMs: NOW - 1000 };
  const own = { ...expiry, queue: 'holdfast.operation-runs' } as LeaseExpiry;
  expect(attentionOf({ ...QUIET, expiries: [own] })).toEqual([]);
  const older = { ...expiry, queue: 'mail', atMs: NOW - 2000 } as LeaseExpiry;
  expect(attentionOf({ ...QUIET, expiries: [own, older] })).toEqual([
    { tone: 'caution', kind: 'leaseExpiries', expiries: 1, latestAtMs: NOW - 2000 },
  ]);
});

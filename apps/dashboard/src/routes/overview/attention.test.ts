import type { DeadGroup, OverviewAnswer, WorkerSummary } from '@holdfast/contract';
import { expect, it } from 'vitest';
import { attentionOf } from './attention.js';

const NOW = Date.UTC(2026, 10, 30, 10);
const quiet: OverviewAnswer = { serverTimeMs: NOW, health: { status: 'open', reopened: 0 }, queues: [] };

const worker = (change: Partial<WorkerSummary>): WorkerSummary => ({
  name: 'shop-a:4100',
  queues: ['mail'],
  busy: 2,
  free: 0,
  waiting: false,
  lastSeenAtMs: NOW - 120_000,
  ...change,
});

const group = (change: Partial<DeadGroup>): DeadGroup => ({
  fingerprint: '1-abc',
  errorClass: 'ConnectionError',
  message: 'connect ECONNREFUSED <ip>',
  count: 12,
  queues: [],
  names: [],
  firstDeadAtMs: NOW - 120_000,
  lastDeadAtMs: NOW,
  samples: [],
  ...change,
});

it('names errors that are new, and leads to their jobs', () => {
  const groups = [group({}), group({ fingerprint: '1-old', firstDeadAtMs: NOW - 3_600_000 })];
  expect(attentionOf({ overview: quiet, groups }, NOW)).toEqual([
    {
      tone: 'danger',
      text: 'New since 2 min: ConnectionError: connect ECONNREFUSED <ip> (12 dead jobs)',
      href: '/jobs?state=dead&q=group%3A1-abc',
    },
  ]);
});

it('names workers that are silent and hold jobs, not those that wait, were heard of or have stopped', () => {
  const workers = [worker({}), worker({ waiting: true }), worker({ lastSeenAtMs: NOW - 5_000 }), worker({ busy: 0 })];
  expect(attentionOf({ overview: quiet, workers }, NOW).map(({ text }) => text)).toEqual([
    'shop-a:4100 is silent for 2 min and has 2 jobs',
  ]);
});

it('has nothing to say where nothing is known to be wrong', () => {
  expect(attentionOf({ overview: quiet }, NOW)).toEqual([]);
});

import { type RecoveryReport, type StorageReport } from '@holdfast/contract';
import { expect, it } from 'vitest';
import { describeOpening } from './store-announcer.js';

const clean: RecoveryReport = {
  kind: 'clean',
  atMs: 0,
  tookMs: 4.6,
  segments: 1,
  bytesRead: 1_000,
  recordsReplayed: 34,
  leasesEnded: { retried: 0, dead: 0 },
  epoch: 2,
};

function reportOf(recovery: RecoveryReport): StorageReport {
  return { kind: 'log', location: '/data/queue', storeId: 's', segments: [], bytes: 0, durableSeq: '1', recovery };
}

it('tells a new directory', () => {
  expect(describeOpening(reportOf({ ...clean, kind: 'new' }))).toBe('Jobs are kept in /data/queue, which is new.');
});

it('tells what was read', () => {
  expect(describeOpening(reportOf(clean))).toBe('Jobs are kept in /data/queue: 34 records read in 5 ms.');
});

it('says nothing of reading where nothing was read, as over a database', () => {
  expect(describeOpening(reportOf({ ...clean, recordsReplayed: 0 }))).toBe('Jobs are kept in /data/queue.');
});

it('does not say that jobs are kept where they are only shown', () => {
  expect(describeOpening(reportOf({ ...clean, kind: 'read' }))).toBe(
    'Jobs in /data/queue are shown as they are: 34 records read in 5 ms.',
  );
});

it('tells after a crash what became of the jobs under way, and of bytes that were no commit', () => {
  const cutOff: RecoveryReport = { ...clean, kind: 'unclean', leasesEnded: { retried: 2, dead: 1 } };
  expect(describeOpening(reportOf(cutOff))).toBe(
    'Jobs are kept in /data/queue, whose last owner was cut off: 34 records read in 5 ms. ' +
      'Of the jobs it was at, 2 will be tried again and 1 are dead.',
  );
  expect(describeOpening(reportOf({ ...clean, kind: 'unclean' }))).toMatch(/read in 5 ms\.$/);
  const tornTail = { file: '1.segment', offset: 96, bytes: 12, keptAs: 'quarantine/1.torn' };
  expect(describeOpening(reportOf({ ...cutOff, tornTail }))).toContain(
    '12 bytes of an unfinished commit were moved to quarantine/1.torn.',
  );
});

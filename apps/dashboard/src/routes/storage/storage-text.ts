import type { RecoveryReport, SegmentReport } from '@holdfast/contract';
import { formatBytes, formatCount, formatNoun } from '../../format/number.js';
import { formatAge, formatDuration } from '../../format/time.js';

export const storageText = {
  title: 'Storage',
  loading: 'Loading the store',
  loadingChart: 'Loading the chart',
  figures: {
    health: 'Store',
    p50: 'fsync p50',
    p99: 'fsync p99',
    max: 'fsync max',
    records: 'Records per commit',
    commits: 'Commits',
    bytes: 'On disk',
    free: 'Disk free',
  },
  lastInterval: (ms: number) => `last ${formatDuration(ms)}`,
  window: (ms: number) => `last ${formatAge(ms)}`,
  unknown: 'not known',
  noData: '–',
  perSecond: '/s',
  health: { open: 'Open', full: 'Disk full', opening: 'Opening', failed: 'Failed', closed: 'Closed' },
  reopened: (times: number) => (times === 0 ? 'never lost' : `reopened ${formatCount(times)}×`),
  latency: {
    title: 'fsync latency',
    note: 'How long the disk took to confirm a commit. A gap means that nothing was synced.',
    series: { p50: 'p50', p99: 'p99', max: 'max' },
    count: 'Syncs',
    time: 'Time',
    summary: (points: number, maxMs: number) =>
      `fsync latency over ${formatNoun(points, 'interval')}: at most ${formatDuration(maxMs)}.`,
  },
  commits: {
    title: 'Commit size',
    note: 'Jobs that arrive together share one write and one fsync: more records in a commit mean fewer syncs a job.',
    series: { mean: 'mean records', max: 'largest' },
    count: 'Commits',
    bytes: 'Bytes',
    summary: (points: number, max: number) =>
      `Records per commit over ${formatNoun(points, 'interval')}: at most ${formatCount(max)}.`,
  },
  table: 'Table',
  tableOf: (title: string) => `${title}, as a table`,
  chart: 'Chart',
  empty: 'Nothing was written lately.',
  keys: 'Arrow keys read the chart point by point.',
  segments: 'Segments',
  segmentCount: (count: number) => formatNoun(count, 'segment'),
  durable: (seq: string) => `durable up to commit ${seq}`,
  segmentColumns: { file: 'File', state: 'State', commits: 'Commits', bytes: 'Size' },
  segmentStates: { active: 'active', sealed: 'sealed' } satisfies Record<SegmentReport['state'], string>,
  segmentCell: (segment: SegmentReport) => `${segment.file}, ${segment.state}, ${formatBytes(segment.bytes)}`,
  recovery: 'Last start',
  recoverySentence,
  recoveryDetails: 'Details',
  recoveryFacts: {
    at: 'At',
    took: 'Took',
    segments: 'Segments read',
    bytes: 'Bytes read',
    records: 'Records replayed',
    torn: 'Torn tail',
    leases: 'Leases ended',
    epoch: 'Epoch',
    store: 'Store id',
    location: 'Location',
    stall: 'Longest engine stall',
    written: 'Written since the start',
  },
  none: 'none',
  tornTail: (tail: NonNullable<RecoveryReport['tornTail']>) =>
    `${formatNoun(tail.bytes, 'byte')} of ${tail.file} after byte ${formatCount(tail.offset)}, kept as ${tail.keptAs}`,
  leases: ({ retried, dead }: RecoveryReport['leasesEnded']) =>
    retried + dead === 0 ? 'none' : `${formatCount(retried)} to be retried, ${formatCount(dead)} dead`,
} as const;

/** What the last open found and did, as one would tell it. */
function recoverySentence(report: RecoveryReport): string {
  if (report.kind === 'new') return 'The directory was empty: a new store was made in it.';
  const replayed = `${formatNoun(report.recordsReplayed, 'record')} from ${formatNoun(report.segments, 'segment')} in ${formatDuration(report.tookMs)}`;
  if (report.kind === 'clean') return `The store was closed cleanly. Read back ${replayed}. Nothing was cut.`;
  const { retried, dead } = report.leasesEnded;
  const leases =
    retried + dead === 0 ? 'No job was leased.' : `${formatNoun(retried + dead, 'leased job')} count an attempt.`;
  const tail =
    report.tornTail === undefined
      ? 'The log ended with a whole commit.'
      : `${formatNoun(report.tornTail.bytes, 'byte')} of a commit that nobody was told about were cut off and kept.`;
  return `The last owner was cut off. Read back ${replayed}. ${tail} ${leases}`;
}

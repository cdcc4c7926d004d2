import type { CompactionReport, DiskReserveReport, RecoveryReport, SegmentReport } from '@holdfast/contract';
import { formatBytes, formatCount, formatNoun } from '../../format/number.js';
import { formatAge, formatDateTime, formatDuration } from '../../format/time.js';

export const storageText = {
  title: 'Storage',
  loading: 'Loading the store',
  loadingChart: 'Loading the chart',
  figures: {
    kind: 'Kept in',
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
  kinds: { postgres: 'PostgreSQL', mysql: 'MySQL', mariadb: 'MariaDB', memory: 'Memory' } as Readonly<
    Record<string, string>
  >,
  databaseNote:
    "How fast it writes and what its tables need, the database's own tools tell. Holdfast measures that where it keeps a log of its own.",
  noData: '–',
  perSecond: '/s',
  health: { open: 'Open', full: 'Disk full', opening: 'Opening', failed: 'Failed', closed: 'Closed' },
  reopened: (times: number) => (times === 0 ? 'never reopened' : `reopened ${formatCount(times)}×`),
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
  heatmap: {
    measure: 'Measure',
    span: 'How far back',
    durations: {
      sync: {
        title: 'fsync latency',
        note: 'How long the disk took to confirm a commit. Hatched: nothing was synced.',
      },
      append: {
        title: 'Enqueue',
        note: 'From the call to the disk: what a producer waits for. Hatched: nobody enqueued.',
      },
      claim: { title: 'Claim wait', note: 'How long a claim waited for its first job. Hatched: no claim got one.' },
      queue: {
        title: 'Queue wait',
        note: 'From when a job could have started until it did. Hatched: nothing started.',
      },
      run: { title: 'Run time', note: 'From lease to ack, of attempts that completed. Hatched: nothing completed.' },
    },
    columns: { time: 'Time', count: 'Number', max: 'max' },
    summary: (title: string, max: string, span: string) => `${title} over the last ${span}: at most ${max}.`,
  },
  few: 'few values',
  cell: (from: string, count: string) => `from ${from}: ${count}`,
  table: 'Table',
  tableOf: (title: string) => `${title}, as a table`,
  chart: 'Chart',
  empty: 'Nothing was written lately',
  keys: 'Arrow keys read the chart point by point.',
  segments: 'Segments',
  segmentCount: (count: number) => formatNoun(count, 'segment'),
  durable: (seq: string) => `durable up to commit ${seq}`,
  segmentColumns: { file: 'File', state: 'State', commits: 'Commits', live: 'Live', bytes: 'Size' },
  segmentsNote: 'Filled: the kept jobs, and what is remembered beside them. The rest is history that compaction frees.',
  liveShare: (share: number) => `${Math.round(share * 100)} %`,
  liveTotal: (live: number, bytes: number) =>
    bytes === 0 ? undefined : `${formatBytes(live)} of it live (${Math.round((live / bytes) * 100)} %)`,
  segmentStates: { active: 'active', sealed: 'sealed' } satisfies Record<SegmentReport['state'], string>,
  segmentCell: (segment: SegmentReport) =>
    `${segment.file}, ${segment.state}, ${formatBytes(segment.bytes)}${segment.liveBytes === undefined ? '' : `, ${formatBytes(segment.liveBytes)} live`}`,
  compaction: 'Compaction',
  compactionSentence,
  compactionStopped: 'Compaction cannot go on: the disk fills up until this is looked at',
  compactionFacts: { jobs: 'Jobs written again', bytes: 'Bytes written again', freed: 'Freed', last: 'Last step' },
  never: 'not since the start',
  full: (sinceMs: number) => `The disk is full since ${formatDateTime(sinceMs)}: new jobs are refused`,
  fullNote: (reserve: DiskReserveReport) =>
    `Jobs can still be ended: ${formatBytes(reserve.heldBytes)} of ${formatBytes(reserve.bytes)} are kept back for that. New ones are taken again by themselves once there is room.`,
  recovery: 'Last start',
  reading: 'Read as it is',
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
    applicationStall: 'Longest application stall',
    reserve: 'Kept back for a full disk',
    written: 'Written since the start',
  },
  none: 'none',
  copyRecovery: 'Copy as JSON',
  copied: 'Copied',
  reserve: (reserve: DiskReserveReport) =>
    reserve.heldBytes === reserve.bytes
      ? formatBytes(reserve.bytes)
      : `${formatBytes(reserve.heldBytes)} of ${formatBytes(reserve.bytes)}`,
  tornTail: (tail: NonNullable<RecoveryReport['tornTail']>) =>
    `${formatNoun(tail.bytes, 'byte')} of ${tail.file} after byte ${formatCount(tail.offset)}, kept as ${tail.keptAs}`,
  leases: ({ retried, dead }: RecoveryReport['leasesEnded']) =>
    retried + dead === 0 ? 'none' : `${formatCount(retried)} to be retried, ${formatCount(dead)} dead`,
} as const;

/** What the last open found and did, as one would tell it. */
function recoverySentence(report: RecoveryReport): string {
  if (report.kind === 'new') return 'The directory was empty: a new store was made in it.';
  const replayed = `${formatNoun(report.recordsReplayed, 'record')} from ${formatNoun(report.segments, 'segment')} in ${formatDuration(report.tookMs)}`;
  if (report.kind === 'read')
    return `Read ${replayed}, without opening the store: how its owner closed it is not known here.`;
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

/** What compaction is doing and has done, as one would tell it. */
function compactionSentence({ running, freedBytes, movedJobs }: CompactionReport): string {
  const now = running ? 'Running.' : 'Resting: there is little to free.';
  if (freedBytes === 0 && movedJobs === 0) return `${now} Nothing was freed since the start.`;
  return `${now} Since the start it freed ${formatBytes(freedBytes)} by writing ${formatNoun(movedJobs, 'job')} again.`;
}

import { formatCount, formatNoun } from '../../format/number.js';
import { formatMinute } from '../../format/time.js';

export const leasesText = {
  title: 'Leases',
  note: (count: number) => `${formatCount(count)} live`,
  loading: 'Loading leases',
  columns: {
    ends: 'Ends in',
    job: 'Job',
    queue: 'Queue',
    worker: 'Worker',
    attempt: 'Attempt',
    held: 'Held',
    extensions: 'Extended',
  },
  endUnknown: 'not in the log',
  overdue: (text: string) => `${text} overdue`,
  extended: (times: number) => (times === 0 ? '–' : `${formatCount(times)}×`),
  emptyTitle: 'No job is leased',
  emptyNote: 'A lease appears here while a worker runs a job.',
  nobodyTitle: 'No job is leased, and some are ready',
  nobodyNote: (ready: number) =>
    `${formatNoun(ready, 'job')} could start, but no worker claims. Is one running for these queues?`,
  expiries: 'Recent lease expiries',
  expiriesNote:
    'A lease expires when its worker is alive but does not extend it in time. The job is tried again or dies.',
  expiryColumns: {
    when: 'When',
    job: 'Job',
    queue: 'Queue',
    worker: 'Worker',
    attempt: 'Attempt',
    late: 'Ended after',
    next: 'What happened next',
  },
  workers: 'Workers',
  workersNote: 'Who claimed, extended or settled lately.',
  workersLoading: 'Loading the workers',
  noWorkers: 'No worker was seen lately',
  noWorkersNote: (ready: number) =>
    ready === 0
      ? 'Workers appear here with their first claim.'
      : `${formatNoun(ready, 'job')} could start. Is a worker running for these queues?`,
  workerColumns: { worker: 'Worker', queues: 'Claims', busy: 'Busy', seen: 'Last seen' },
  slots: (busy: string, all: string) => `${busy} of ${all}`,
  waiting: 'waits for jobs',
  quiet: 'quiet',
  silent: 'silent',
  live: 'Live leases',
  overTime: 'Expiries over the last hour',
  overTimeSummary: (total: number, most: number) =>
    total === 0
      ? 'No lease expired in the last hour.'
      : `${formatNoun(total, 'lease')} expired in the last hour, at most ${formatCount(most)} in two minutes.`,
  bar: (count: number, fromMs: number) => `${formatCount(count)} from ${formatMinute(fromMs)}`,
  by: 'Expiries since the store was opened',
  byColumns: { worker: 'Worker', queue: 'Queue', count: 'Expired' },
  late: (duration: string) => `${duration} late`,
  next: { scheduled: 'retrying', dead: 'dead' },
  noExpiries: 'No lease has expired since the store was opened',
  ago: 'ago',
} as const;

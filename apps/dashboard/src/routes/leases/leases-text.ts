import { formatCount, formatNoun } from '../../format/number.js';

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
  late: (duration: string) => `${duration} late`,
  next: { scheduled: 'retrying', dead: 'dead' },
  noExpiries: 'No lease has expired since the store was opened.',
  ago: 'ago',
} as const;

import type { QueuePause } from '@holdfast/contract';
import { formatCount, formatNoun } from '../../format/number.js';
import { formatAge, formatDuration, formatMoment } from '../../format/time.js';

export const overviewText = {
  title: 'Overview',
  loading: 'Loading the queues',
  figures: {
    ready: 'Ready',
    leased: 'Leased',
    retrying: 'Retrying',
    dead: 'Dead',
    oldest: 'Oldest waiting',
  },
  nothingWaits: 'none',
  history: (figure: string, points: number) => `${figure}, the last ${formatNoun(points, 'answer')} of this page`,
  queues: 'Queues',
  columns: {
    queue: 'Queue',
    ready: 'Ready',
    leased: 'Leased',
    scheduled: 'Scheduled',
    retrying: 'Retrying',
    retryingHint: 'Waiting for another attempt: a part of Scheduled',
    dead: 'Dead',
    completed: 'Completed',
    oldest: 'Oldest',
    rates: { enqueued: 'In', completed: 'out', failed: 'failed', unit: '/s' },
    throughput: 'Throughput',
    acts: 'Acts',
  },
  throughputOf: (queue: string, spanMs: number, sums: { enqueued: number; completed: number; failed: number }) =>
    `${queue}, last ${formatDuration(spanMs)}: ${formatCount(sums.enqueued)} in, ${formatCount(sums.completed)} out, ${formatCount(sums.failed)} failed`,
  openJobs: (count: string, state: string, queue: string) => `${count} ${state} in ${queue}`,
  attention: 'Needs attention',
  quiet: 'Nothing needs attention.',
  attentionLoading: 'Loading what needs attention',
  attentionUnknown: 'What needs attention could not be asked for.',
  attentionNotListed: (count: number) => `${formatCount(count)} more are not listed.`,
  dead: (count: number, queues: number) =>
    `${formatNoun(count, 'dead job')}${queues > 1 ? ` in ${queues} queues` : ''}`,
  deadIn: (queue: string) => `in ${queue}`,
  expiries: (count: number, agoMs: number) =>
    `${formatNoun(count, 'lease')} expired in the last hour, the latest ${formatAge(agoMs)} ago`,
  newError: (errorClass: string, message: string, count: number, agoMs: number) =>
    `New error ${formatAge(agoMs)} ago (${formatNoun(count, 'dead job')}): ${errorClass}${message === '' ? '' : `: ${message}`}`,
  silentWorker: (worker: string, busy: number, ms: number) =>
    `${worker} has been silent for ${formatAge(ms)} and has ${formatNoun(busy, 'job')}`,
  moreAttention: (count: number) => `Show ${formatCount(count)} more`,
  drain: (queue: string) => `Drain ${queue}: cancel all that waits`,
  nothingToDrain: 'Nothing waits in this queue.',
  paused: 'paused',
  pausedBy: (pause: QueuePause, nowMs: number) =>
    [
      `Paused by ${pause.actor} since ${formatMoment(pause.sinceMs, nowMs)}`,
      pause.untilMs === undefined ? 'until it is resumed' : `until ${formatMoment(pause.untilMs, nowMs)}`,
      ...(pause.reason === undefined ? [] : [pause.reason]),
    ].join(' · '),
  pausedQueue: (queue: string, pause: QueuePause, nowMs: number) =>
    [
      `${queue} is paused by ${pause.actor}`,
      ...(pause.untilMs === undefined ? [] : [` until ${formatMoment(pause.untilMs, nowMs)}`]),
      ...(pause.reason === undefined ? [] : [`: ${pause.reason}`]),
    ].join(''),
  nobodyWorks: (queue: string, ready: number) =>
    `${formatNoun(ready, 'ready job')} in ${queue} and none leased: no worker claims there`,
  reopened: (times: number) =>
    `The store was lost and reopened ${times === 1 ? 'once' : `${times} times`} since the start`,
  emptyTitle: 'No queue yet',
  emptyNote: 'A queue appears here with its first job. These lines enqueue one:',
} as const;

/** Shown while there is no queue. */
export const firstJobCode = `// in a module
HoldfastModule.registerQueue({ name: 'receipts' })

// in a service
constructor(@InjectQueue('receipts') private receipts: Queue) {}

await this.receipts.enqueue('send', { orderId: 17 })`;

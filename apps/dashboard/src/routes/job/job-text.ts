import type { AttemptOutcome, JobDetail, OperatorAct } from '@holdfast/contract';
import { formatBytes, formatCount, formatNoun } from '../../format/number.js';
import { formatDuration } from '../../format/time.js';

const outcomes: Readonly<Record<AttemptOutcome, string>> = {
  running: 'running',
  completed: 'completed',
  failed: 'failed',
  leaseExpired: 'lease expired',
  processEnded: 'process ended',
  released: 'released, not counted',
  cancelled: 'cancelled',
};

const acts: Readonly<Record<OperatorAct['act'], string>> = {
  redrive: 'Redriven',
  cancel: 'Cancelled',
  runNow: 'Run at once',
  reprioritise: 'Given another priority',
  clone: 'Cloned from another job',
};

export const jobText = {
  panel: 'Job',
  loading: 'Loading the job',
  close: 'Close',
  copyId: 'Copy the id',
  copied: 'Copied',
  facts: {
    queue: 'Queue',
    attempts: 'Attempts',
    priority: 'Priority',
    enqueued: 'Enqueued',
    due: 'Due',
    couldStart: 'Could start',
    changed: 'Last change',
    lease: 'Lease ends in',
    worker: 'Worker',
    heldSince: 'Leased',
    expires: 'Expires',
    kept: 'Kept until',
    cancelled: 'Cancelled',
    timeout: 'Time limit',
    dedupeKey: 'Dedupe key',
    clonedFrom: 'Cloned from',
  },
  expiresNote: 'Then it is cancelled, unless it was started before.',
  keptNote: 'Then the store forgets it; earlier where it keeps only so many.',
  timeout: (ms: number) => `${formatDuration(ms)} an attempt`,
  cancelCauses: {
    operator: 'by an operator',
    expired: 'because nobody started it in time',
    handler: 'by its handler',
  } satisfies Record<NonNullable<JobDetail['cancelCause']>, string>,
  headers: 'Headers',
  attempts: (attempts: number, max: number | null) =>
    max === null ? `${attempts}, no limit` : `${attempts} of ${max}`,
  overdue: (text: string) => `${text} overdue`,
  leaseNote: 'Then the job is tried again, or dies if this was its last attempt.',
  timeline: 'Attempts',
  noAttempts: 'Not started yet.',
  attempt: (number: number) => `Attempt ${formatCount(number)}`,
  outcomes,
  took: (ms: number) => `after ${formatDuration(ms)}`,
  stack: 'Stack',
  act: ({ act, actor, priority }: OperatorAct) =>
    priority === undefined ? `${acts[act]} by ${actor}` : `Given priority ${formatCount(priority)} by ${actor}`,
  earlier: (count: number) => `Show ${formatCount(count)} earlier`,
  payload: 'Payload',
  result: 'Result',
  bytes: (bytes: number) => formatBytes(bytes),
  record: 'Log record',
  recordAt: (offset: number, bytes: number) => `@ ${formatCount(offset)}, ${formatNoun(bytes, 'byte')}`,
  missingTitle: 'The store does not know this job',
  missingNote: 'It may have been completed and forgotten since, or the address is mistyped.',
  payloadView: {
    fold: 'Fold',
    unfold: 'Unfold',
    more: (hidden: number) => `Show more (${formatCount(hidden)} hidden)`,
    items: (count: number) => formatNoun(count, 'item'),
    keys: (count: number) => formatNoun(count, 'key'),
    asTree: 'JSON',
    asSent: 'Raw',
    copy: 'Copy',
    copied: 'Copied',
    truncated: (shown: number, bytes: number) =>
      `The first ${formatBytes(shown)} of ${formatBytes(bytes)}, as they were sent.`,
    binary: 'Not text: its bytes as base64.',
    notJson: 'Not JSON: shown as it was sent.',
    redacted: 'Parts of it are hidden by the server: [redacted].',
    download: 'Download',
  },
} as const;

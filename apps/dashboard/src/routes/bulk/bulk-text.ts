import type { BulkOperation, BulkPlanAnswer, JobFilter } from '@holdfast/contract';
import { visibleText } from '../../format/hostile-text.js';
import { formatCount, formatNoun, formatTotal } from '../../format/number.js';
import { formatClock, formatDateTime, formatDuration } from '../../format/time.js';
import { actWords } from '../acts/act-text.js';

type Plan = BulkPlanAnswer['plan'];

/** Where the verb alone would not read well. */
const titles: Readonly<Record<string, string>> = {
  reprioritise: 'Change the priority of jobs',
  transfer: 'Move jobs to another queue',
};

export const bulkText = {
  title: ({ kind }: Pick<BulkOperation['act'], 'kind'>) => titles[kind] ?? `${actWords[kind].verb} jobs`,
  counting: 'Counting what this would change…',
  filter: 'Jobs',
  allJobs: 'all jobs',
  byIds: (count: number) => `${formatNoun(count, 'selected job')}`,
  asOf: (atMs: number) => `As of ${formatClock(atMs)}. Jobs that come later are left alone.`,
  matched: (plan: Plan) => `${formatTotal(plan.matched)} ${plan.matched.value === 1 ? 'job matches' : 'jobs match'}`,
  eligible: (plan: Plan, act: BulkOperation['act']) => `${formatCount(plan.eligible)} can ${actWords[act.kind].can}`,
  ineligible: (plan: Plan) => {
    const parts = Object.entries(plan.ineligible).filter(([, count]) => count > 0);
    const total = parts.reduce((sum, [, count]) => sum + count, 0);
    if (total === 0) return undefined;
    const why = parts.map(
      ([state, count]) => `${formatCount(count)} ${state === 'missing' ? 'not there any more' : state}`,
    );
    return `${formatCount(total)} cannot: ${why.join(', ')}`;
  },
  queues: 'Queues',
  samples: 'For example',
  rate: 'Jobs a second',
  rateNote: (eligible: number, rate: number) =>
    rate > 0 ? `about ${formatDuration(Math.ceil(eligible / rate) * 1_000)}` : '',
  rateRange: 'The rate is 1 to 10,000 jobs a second.',
  typeNumber: (count: number) => `Type ${count} to confirm`,
  typeFirst: 'Type the number to confirm.',
  reasonFirst: 'Say why: it is kept in the audit.',
  nothing: 'There is nothing to change.',
  count: 'Count what this would change',
  confirm: (act: BulkOperation['act'], count: number) => {
    const jobs = formatNoun(count, 'job');
    if (act.kind === 'runNow') return `Run ${jobs} now`;
    if (act.kind === 'transfer') return `Move ${jobs} to ${visibleText(act.queue)}`;
    if (act.kind === 'reprioritise') return `Give ${jobs} priority ${formatCount(act.priority)}`;
    return `${actWords[act.kind].verb} ${jobs}`;
  },
  undoNote: (ms: number) => `It begins ${formatDuration(ms)} after you confirm, and can be undone until then.`,
  atLeast: 'The count stopped early: there are more. All that match are changed.',
  operations: 'Operations under way',
  running: (operation: BulkOperation) =>
    `${actWords[operation.act.kind].doing} ${formatNoun(operation.planned, 'job')}`,
  soon: (operation: BulkOperation) =>
    `${actWords[operation.act.kind].doing} ${formatNoun(operation.planned, 'job')} soon. Until then it can be undone.`,
  waiting: (operation: BulkOperation, inMs: number) =>
    `${actWords[operation.act.kind].doing} ${formatNoun(operation.planned, 'job')} in ${Math.max(0, Math.ceil(inMs / 1_000))} s`,
  paused: (operation: BulkOperation) =>
    `Paused: ${formatCount(operation.done)} of ${formatCount(operation.planned)} done`,
  progress: (operation: BulkOperation) =>
    `${formatCount(operation.done)} of ${formatCount(operation.planned)}${skippedNote(operation)}`,
  done: (operation: BulkOperation) => `${formatNoun(operation.done, 'job')} ${actWords[operation.act.kind].done}`,
  aborted: (operation: BulkOperation) =>
    operation.done === 0 ? 'Undone: nothing was changed' : `Aborted after ${formatNoun(operation.done, 'job')}`,
  failed: (operation: BulkOperation) => `Failed after ${formatNoun(operation.done, 'job')}`,
  skipped: skippedText,
  statuses: {
    waiting: 'waiting',
    running: 'running',
    paused: 'paused',
    done: 'done',
    aborted: 'aborted',
    failed: 'failed',
  } satisfies Record<BulkOperation['status'], string>,
  pause: 'Pause',
  resume: 'Resume',
  abort: 'Abort',
  undo: 'Undo',
  dismiss: 'Dismiss',
  begun: 'An operation was begun',
  unanswered: 'How it goes on is not known here; Activity lists it.',
} as const;

const skippedWords: Readonly<Record<string, string>> = {
  missing: 'not there any more',
  changed: 'changed meanwhile',
};

function skippedText({ skipped }: Pick<BulkOperation, 'skipped'>): string | undefined {
  const parts = Object.entries(skipped).filter(([, count]) => count > 0);
  const total = parts.reduce((sum, [, count]) => sum + count, 0);
  if (total === 0) return undefined;
  return `${formatCount(total)} skipped: ${parts.map(([why, count]) => `${formatCount(count)} ${skippedWords[why] ?? why}`).join(', ')}`;
}

function skippedNote(operation: BulkOperation): string {
  const total = Object.values(operation.skipped).reduce((sum, count) => sum + count, 0);
  return total === 0 ? '' : `, ${formatCount(total)} skipped`;
}

/** A filter as words, one for each thing that it asks for. */
export function filterWords(filter: JobFilter): readonly (readonly [name: string, value: string])[] {
  const { payload, enqueuedFromMs, enqueuedBeforeMs, updatedFromMs, updatedBeforeMs, attemptsMin, ...texts } = filter;
  const names: Readonly<Record<string, string>> = {
    state: 'state',
    queue: 'queue',
    name: 'name',
    id: 'id',
    errorClass: 'error',
    errorText: 'error text',
    errorFingerprint: 'error group',
  };
  const times = {
    'enqueued from': enqueuedFromMs,
    'enqueued before': enqueuedBeforeMs,
    'changed from': updatedFromMs,
    'changed before': updatedBeforeMs,
  };
  return [
    ...Object.entries(texts).flatMap(([name, value]) =>
      value === undefined ? [] : [[names[name] ?? name, visibleText(String(value))] as const],
    ),
    ...(attemptsMin === undefined ? [] : [['attempts', `at least ${formatCount(attemptsMin)}`] as const]),
    ...Object.entries(times).flatMap(([name, atMs]) =>
      atMs === undefined ? [] : [[name, formatDateTime(atMs)] as const],
    ),
    ...(payload === undefined ? [] : [[`payload.${visibleText(payload.path)}`, visibleText(payload.value)] as const]),
  ];
}

import type { ActivityEntry, BulkOperation } from '@holdfast/contract';
import { formatCount, formatNoun, formatRate } from '../../format/number.js';
import { formatAge } from '../../format/time.js';

const acts: Readonly<Record<string, string>> = {
  redrive: 'Redrive',
  runNow: 'Run now',
  cancel: 'Cancel',
  remove: 'Remove',
  drain: 'Drain',
  reprioritise: 'Change priority',
  transfer: 'Move',
  clone: 'Clone',
  pause: 'Pause',
  resume: 'Resume',
  abort: 'Abort',
};

export const activityText = {
  title: 'Activity',
  loading: 'Loading what was done',
  operations: 'Operations',
  operationsNote:
    'Acts on many jobs. The server works them off in pieces, also when this page is closed and after a restart.',
  noOperations: 'No operation yet',
  noOperationsNote: 'Redriving, cancelling or removing many jobs at once appears here, with its progress.',
  columns: {
    status: 'Status',
    act: 'Act',
    target: 'Jobs',
    progress: 'Progress',
    by: 'By',
    when: 'When',
    controls: 'Controls',
  },
  audit: 'Audit',
  auditColumns: { when: 'When', by: 'By', act: 'Act', target: 'On', outcome: 'Outcome', reason: 'Reason' },
  auditKept: ({ ageMs, count }: { readonly ageMs: number; readonly count: number }) =>
    `Every act by this dashboard and its API, kept for ${formatAge(ageMs)} and at most ${formatCount(count)}.`,
  noAudit: 'Nobody has changed anything here yet',
  noAuditNote:
    'Pausing, redriving or cancelling appears here, with who did it and why. What the application itself does is not listed.',
  unsupported: 'This server keeps no record of acts.',
  act: actText,
  ids: (count: number) => formatNoun(count, 'job'),
  queue: (queue: string) => `queue ${queue}`,
  toQueue: (queue: string) => `to ${queue}`,
  operation: (id: string) => `operation ${id}`,
  by: (actor: string, role: string) => `${actor} (${role})`,
  rate: (operation: BulkOperation) => `${formatRate(operation.ratePerSecond)} /s`,
  outcome: ({ status, outcome, error, uncertain }: ActivityEntry) => {
    if (status === 'failed') {
      const failed = error === undefined ? 'failed' : `failed: ${error}`;
      return uncertain === true ? `${failed}; may have been done` : failed;
    }
    if (status === 'begun') return 'begun';
    if (outcome === undefined) return 'done';
    const skipped = outcome.matched - outcome.done;
    return skipped === 0
      ? `${formatCount(outcome.done)} done`
      : `${formatCount(outcome.done)} done, ${formatCount(skipped)} skipped`;
  },
  ago: 'ago',
  previous: 'Newer',
  next: 'Older',
} as const;

/** Acts on many jobs are told as `bulk redrive`, steps of their operations as `bulk pause`. A newer server may know more. */
function actText(act: string): string {
  const [, kind] = /^bulk (.+)$/.exec(act) ?? [];
  if (kind === undefined) return acts[act] ?? act;
  const word = acts[kind] ?? kind;
  return ['pause', 'resume', 'abort'].includes(kind) ? `${word} operation` : `${word} many`;
}

import type { AdminRole, BulkAct } from '@holdfast/contract';
import type { JobActKind } from '../../api/acts.js';
import { formatNoun } from '../../format/number.js';

type Act = BulkAct['kind'];

interface ActWords {
  /** On buttons. */
  readonly verb: string;
  /** While it is under way. */
  readonly doing: string;
  /** Of jobs to which it was done. */
  readonly done: string;
  /** Of jobs that allow it. */
  readonly can: string;
  /** What it means, as one would tell it. */
  readonly meaning: string;
}

export const actWords: Readonly<Record<Act, ActWords>> = {
  redrive: {
    verb: 'Redrive',
    doing: 'Redriving',
    done: 'redriven',
    can: 'be redriven',
    meaning: 'Dead jobs become ready again with their attempts at 0. Their former attempts stay in their history.',
  },
  runNow: {
    verb: 'Run now',
    doing: 'Running at once',
    done: 'made ready',
    can: 'run now',
    meaning: 'Scheduled jobs are ready at once, also those that wait for a retry.',
  },
  cancel: {
    verb: 'Cancel',
    doing: 'Cancelling',
    done: 'cancelled',
    can: 'be cancelled',
    meaning: 'They will not run any more. Handlers at work are told to stop; nothing that they still answer is kept.',
  },
  remove: {
    verb: 'Remove',
    doing: 'Removing',
    done: 'removed',
    can: 'be removed',
    meaning: 'The store forgets them, with payload and history. They cannot be brought back.',
  },
  drain: {
    verb: 'Drain',
    doing: 'Draining',
    done: 'cancelled',
    can: 'be cancelled',
    meaning: 'All jobs of the queue that are ready or scheduled are cancelled. Those that are leased go on.',
  },
  transfer: {
    // Not `Move`, which looks like `Remove` beside it.
    verb: 'Change queue',
    doing: 'Moving',
    done: 'moved to another queue',
    can: 'be moved',
    meaning:
      'Scheduled and ready jobs go to another queue and keep their place in the order. Dedupe keys are given up.',
  },
  reprioritise: {
    verb: 'Change priority',
    doing: 'Changing the priority of',
    done: 'given another priority',
    can: 'take another priority',
    meaning: 'They take their place among the jobs of that priority. 0 is first.',
  },
};

export const actText = {
  close: 'Close',
  back: 'Cancel',
  keep: 'Go back',
  reason: 'Reason (optional)',
  reasonNeeded: 'Reason',
  reasonPlaceholder: 'kept in the history',
  priority: 'Priority (0 is first)',
  toQueue: 'To the queue',
  queueFirst: 'Say to which queue.',
  sameQueue: 'It is in that queue already.',
  newQueue: 'There is no such queue yet: it begins with these jobs.',
  notApplied: 'That could not be done',
  undecided: 'It is not known whether that was done',
  lookFirst: 'Before you try again, look under Activity: it lists every act, and whether it was done.',
  tryAgain: 'You can try again here: it does not begin twice. Activity lists what has begun.',
  roleUnknown: 'The server has not said yet what you may do.',
  readOnly: 'This dashboard only shows jobs: the banner above says why.',
  needsRole: (needed: AdminRole, role: AdminRole) => `This needs the role ${needed}; yours is ${role}.`,
  oneJob: {
    redrive: 'Redrive this job',
    runNow: 'Run this job now',
    cancel: 'Cancel this job',
    remove: 'Remove this job',
    reprioritise: 'Change the priority of this job',
    transfer: 'Move this job to another queue',
  } satisfies Record<JobActKind, string>,
  oneMeaning: {
    redrive: 'It becomes ready again with its attempts at 0. Its former attempts stay in its history.',
    runNow: 'It is ready at once, whatever it was waiting for.',
    cancel:
      'It will not run any more. If it runs now, its handler is told to stop: the job shows what it does then, and nothing that it still answers is kept.',
    remove: 'The store forgets it, with payload and history. It cannot be brought back.',
    reprioritise: 'It takes its place among the jobs of that priority. 0 is first.',
    transfer:
      'It waits in the other queue, in the place that its priority and age give it there. Its dedupe key is given up.',
  } satisfies Record<JobActKind, string>,
  doneOne: (act: JobActKind) => `1 job ${actWords[act].done}`,
  busy: 'Working…',
  edit: 'Edit and redrive…',
  editShort: 'Clone',
  cloneTitle: 'Enqueue a changed copy',
  cloneMeaning:
    'A new job with this payload is enqueued, linked to this one. It has all its attempts before it. This job stays as it is.',
  payload: 'Payload',
  notJson: (problem: string) => `This is not JSON: ${problem}`,
  changed: (from: number, to: number) => `${formatNoun(from, 'line')} before, ${formatNoun(to, 'line')} now`,
  unchanged: 'Nothing is changed yet: the copy will have the same payload.',
  truncated: 'Only a part of this payload is shown, so it cannot be edited here.',
  clone: 'Enqueue the copy',
  cloned: (id: string) => `Enqueued as job ${id}`,
  pauseTitle: (queue: string) => `Pause ${queue}`,
  pauseMeaning: 'No job of the queue is handed out any more. Jobs that are leased go on.',
  pauseFor: 'For how long',
  pauseSpans: [
    ['', 'Until it is resumed'],
    ['900000', '15 minutes'],
    ['3600000', '1 hour'],
    ['14400000', '4 hours'],
    ['86400000', '1 day'],
  ] as const,
  pause: 'Pause',
  resume: 'Resume',
  pauseQueue: (queue: string) => `Pause ${queue}`,
  resumeQueue: (queue: string) => `Resume ${queue}`,
  paused: (queue: string) => `${queue} is paused`,
  resumed: (queue: string) => `${queue} is resumed`,
  wasNotPaused: (queue: string) => `${queue} was not paused`,
  undo: 'Undo',
} as const;

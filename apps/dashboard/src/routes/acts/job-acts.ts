import type { AdminRole, JobRow, JobState } from '@holdfast/contract';
import type { JobActKind } from '../../api/acts.js';

/** The states in which the store allows an act: docs/job-lifecycle.md. The server decides again. */
export const ACT_STATES: Readonly<Record<JobActKind, readonly JobState[]>> = {
  redrive: ['dead'],
  runNow: ['scheduled'],
  cancel: ['scheduled', 'ready', 'leased'],
  reprioritise: ['scheduled', 'ready'],
  remove: ['scheduled', 'ready', 'completed', 'dead', 'cancelled'],
};

/** In the order in which they are offered: what mends first, what destroys last. */
export const ACTS = ['redrive', 'runNow', 'reprioritise', 'cancel', 'remove'] as const satisfies readonly JobActKind[];

export function actsFor({ state }: Pick<JobRow, 'state'>): readonly JobActKind[] {
  return ACTS.filter((act) => ACT_STATES[act].includes(state));
}

/** What cannot be brought back needs more than mending does. */
export function roleFor(act: JobActKind | 'drain' | 'clone' | 'transfer'): AdminRole {
  return act === 'remove' || act === 'clone' ? 'admin' : 'operator';
}

import type { AdminRole, JobState } from '@holdfast/contract';
import type { JobActKind } from '../../api/acts.js';
import { useFeature } from '../../api/meta.js';

/** The states in which the store allows an act: docs/job-lifecycle.md. The server decides again. */
export const ACT_STATES: Readonly<Record<JobActKind, readonly JobState[]>> = {
  redrive: ['dead'],
  runNow: ['scheduled'],
  cancel: ['scheduled', 'ready', 'leased'],
  reprioritise: ['scheduled', 'ready'],
  transfer: ['scheduled', 'ready'],
  remove: ['scheduled', 'ready', 'completed', 'dead', 'cancelled'],
};

/** In the order in which they are offered: what mends first, what destroys last. */
const ACTS: readonly JobActKind[] = ['redrive', 'runNow', 'reprioritise', 'transfer', 'cancel', 'remove'];

/** Those that a state allows, as far as this server knows them. Of jobs of all states, each. */
export function useActsFor(state: JobState | undefined): readonly JobActKind[] {
  const transfers = useFeature('transfer');
  return ACTS.filter((act) => state === undefined || ACT_STATES[act].includes(state)).filter(
    (act) => act !== 'transfer' || transfers,
  );
}

/** What cannot be brought back needs more than mending does. */
export function roleFor(act: JobActKind | 'drain' | 'clone' | 'transfer'): AdminRole {
  return act === 'remove' || act === 'clone' ? 'admin' : 'operator';
}

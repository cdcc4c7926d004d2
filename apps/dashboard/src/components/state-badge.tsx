import type { JobState } from '@holdfast/contract';
import { classNames } from './class-names.js';
import { Icon } from './icon.js';
import styles from './state-badge.module.css';

/** What the eye is to tell apart: a scheduled job that has failed before is `retrying`. */
export type ShownState = JobState | 'retrying';

export function shownState(job: { readonly state: JobState; readonly attempts: number }): ShownState {
  return job.state === 'scheduled' && job.attempts > 0 ? 'retrying' : job.state;
}

/** Icon, word and colour say the same, so that none of them is needed alone. Every state has a fill, so that their words begin on one line. */
export function StateBadge({ state }: { readonly state: ShownState }) {
  return (
    <span className={classNames(styles.badge, styles[state])}>
      <Icon name={state} size={13} />
      {state}
    </span>
  );
}

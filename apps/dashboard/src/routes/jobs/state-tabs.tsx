import type { JobState, QueueSummary } from '@holdfast/contract';
import { Link, useLocation } from 'wouter';
import { classNames } from '../../components/class-names.js';
import { formatCount } from '../../format/number.js';
import { formatJobsSearch, type JobsSearch, TAB_STATES, withFilter } from './jobs-search.js';
import { jobsText } from './jobs-text.js';
import styles from './state-tabs.module.css';

interface StateTabsProps {
  readonly view: JobsSearch;
  readonly queues: readonly QueueSummary[] | undefined;
}

/** Links, not tabs in the sense of ARIA: each is an address. With more than a queue in the filter nobody has counted by state. */
export function StateTabs({ view, queues }: StateTabsProps) {
  const [path] = useLocation();
  const counted =
    view.name === undefined && view.q === undefined
      ? queues?.filter((queue) => view.queue === undefined || queue.name === view.queue)
      : undefined;
  const countOf = (state: JobState) => counted?.reduce((total, queue) => total + queue.counts[state], 0);
  const all = counted === undefined ? undefined : TAB_STATES.reduce((total, state) => total + (countOf(state) ?? 0), 0);
  const href = (state: JobState | undefined) => `${path}${formatJobsSearch(withFilter(view, { state }))}`;
  return (
    <nav className={styles.tabs} aria-label={jobsText.tabs}>
      <Tab href={href(undefined)} here={view.state === undefined} label={jobsText.tab.all} count={all} />
      {TAB_STATES.map((state) => (
        <Tab
          key={state}
          href={href(state)}
          here={view.state === state}
          label={jobsText.tab[state]}
          count={countOf(state)}
        />
      ))}
    </nav>
  );
}

/** In a narrow window the tabs scroll; the one in effect is never out of sight. */
function showWhole(tab: HTMLAnchorElement | null): void {
  const row = tab?.parentElement;
  if (tab !== null && row) row.scrollLeft = tab.offsetLeft + tab.offsetWidth - row.clientWidth;
}

function Tab({ href, here, label, count }: { href: string; here: boolean; label: string; count: number | undefined }) {
  return (
    <Link
      ref={here ? showWhole : undefined}
      href={href}
      aria-current={here ? 'true' : undefined}
      className={classNames(styles.tab, here && styles.here)}
    >
      {label}
      {count !== undefined && <span className={styles.count}>{formatCount(count)}</span>}
    </Link>
  );
}

import { Link, useLocation, useSearch } from 'wouter';
import { useFeature } from '../../api/meta.js';
import { classNames } from '../../components/class-names.js';
import tabs from '../jobs/state-tabs.module.css';
import { withParams } from '../search-params.js';
import { deadText } from './dead-text.js';

/** Links, not tabs in the sense of ARIA: each is an address. */
export function DeadTabs({ grouped }: { readonly grouped: boolean }) {
  const [path] = useLocation();
  const search = useSearch();
  if (!useFeature('deadGroups')) return null;
  const href = (view: string | undefined) => `${path}${withParams(search, { view, cursor: undefined })}`;
  return (
    <nav className={tabs.tabs} aria-label={deadText.views}>
      <Tab href={href(undefined)} here={grouped} label={deadText.byError} />
      <Tab href={href('jobs')} here={!grouped} label={deadText.byJob} />
    </nav>
  );
}

function Tab({ href, here, label }: { readonly href: string; readonly here: boolean; readonly label: string }) {
  return (
    <Link href={href} aria-current={here ? 'true' : undefined} className={classNames(tabs.tab, here && tabs.here)}>
      {label}
    </Link>
  );
}

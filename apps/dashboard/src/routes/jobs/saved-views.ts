import { mountPath } from '../../mount.js';
import { StoredSetting } from '../../settings/stored-setting.js';
import { formatJobsSearch, type JobsSearch } from './jobs-search.js';

/** A filter by a name of somebody's own. What it is, is its address. */
export interface SavedView {
  readonly name: string;
  readonly search: string;
}

const VIEWS_MAX = 50;
export const VIEW_NAME_MAX = 60;

/** Of this dashboard in this browser: queues of another one have other names. */
export const savedViews = new StoredSetting<readonly SavedView[]>(`jobViews ${mountPath()}`, [], isViews);

/** What of a view is worth a name: neither its page nor the job that is open. */
export function searchToSave({ cursor: _cursor, job: _job, ...view }: JobsSearch): string {
  return formatJobsSearch(view);
}

/** Under a name that is there already, it takes its place. */
export function saveView(name: string, search: string): void {
  savedViews.update((views) => {
    const others = views.filter((view) => view.name !== name);
    return [...others, { name, search }].slice(-VIEWS_MAX).toSorted((a, b) => a.name.localeCompare(b.name));
  });
}

export function forgetView(name: string): void {
  savedViews.update((views) => views.filter((view) => view.name !== name));
}

function isViews(value: unknown): value is readonly SavedView[] {
  return (
    Array.isArray(value) &&
    value.every(
      (view: unknown) =>
        typeof view === 'object' &&
        view !== null &&
        'name' in view &&
        typeof view.name === 'string' &&
        'search' in view &&
        typeof view.search === 'string' &&
        // An address on another page is none of a list of jobs.
        /^(\?|$)/.test(view.search),
    )
  );
}

import type { JobState } from '@holdfast/contract';

/** The view of the jobs page as its address has it: everything that a reload or a shared link must bring back. */
export interface JobsSearch {
  readonly state?: JobState;
  readonly queue?: string;
  readonly name?: string;
  readonly cursor?: string;
  /** The job whose panel is open. */
  readonly job?: string;
}

/** In the order of the tabs. Written here because only types come from the contract; the compiler checks the words. */
export const TAB_STATES: readonly JobState[] = ['scheduled', 'ready', 'leased', 'completed', 'dead', 'cancelled'];
const TEXTS = ['queue', 'name', 'cursor', 'job'] as const;

/** What is missing, empty or not a state means "all". */
export function parseJobsSearch(search: string): JobsSearch {
  const params = new URLSearchParams(search);
  const state = TAB_STATES.find((known) => known === params.get('state'));
  const texts = TEXTS.flatMap((name) => {
    const value = params.get(name);
    return value === null || value === '' ? [] : [[name, value] as const];
  });
  return { ...(state === undefined ? {} : { state }), ...Object.fromEntries(texts) };
}

/** The address of a view, `''` for the plain page. */
export function formatJobsSearch(view: JobsSearch): string {
  const params = new URLSearchParams();
  for (const name of ['state', ...TEXTS] as const) {
    const value = view[name];
    if (value !== undefined && value !== '') params.set(name, value);
  }
  const text = params.toString();
  return text === '' ? '' : `?${text}`;
}

/** Another filter starts at its first page; the open job stays open. */
export function withFilter(
  view: JobsSearch,
  change: { readonly [Name in 'state' | 'queue' | 'name']?: JobsSearch[Name] | undefined },
): JobsSearch {
  const { cursor: _, ...rest } = view;
  const merged = { ...rest, ...change };
  return Object.fromEntries(Object.entries(merged).filter(([, value]) => value !== undefined && value !== ''));
}

import type { JobFilter, JobState } from '@holdfast/contract';
import { type AskedFilter, type ParsedFilter, parseFilter, token, wordsOf } from './filter-tokens.js';

/** The view of the jobs page as its address has it: everything that a reload or a shared link must bring back. */
export interface JobsSearch {
  readonly state?: JobState;
  readonly queue?: string;
  readonly name?: string;
  /** What else is asked for, in the language of the filter bar. */
  readonly q?: string;
  readonly cursor?: string;
  /** The job whose panel is open. */
  readonly job?: string;
}

/** In the order of the tabs. Written here because only types come from the contract; the compiler checks the words. */
export const TAB_STATES: readonly JobState[] = ['scheduled', 'ready', 'leased', 'completed', 'dead', 'cancelled'];
const TEXTS = ['queue', 'name', 'q', 'cursor', 'job'] as const;

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
  change: { readonly [Name in 'state' | 'queue' | 'name' | 'q']?: JobsSearch[Name] | undefined },
): JobsSearch {
  const { cursor: _, ...rest } = view;
  const merged = { ...rest, ...change };
  return Object.fromEntries(Object.entries(merged).filter(([, value]) => value !== undefined && value !== ''));
}

/** What the filter bar shows for a view. */
export function filterText({ queue, name, q }: JobsSearch): string {
  return [
    ...(queue === undefined ? [] : [token('queue', queue)]),
    ...(name === undefined ? [] : [token('name', name)]),
    ...(q === undefined ? [] : [q]),
  ].join(' ');
}

/** The view that a text of the filter bar asks for: queue and name have parameters of their own, so that addresses stay plain. */
export function withFilterText(view: JobsSearch, text: string): JobsSearch {
  const words = wordsOf(text);
  const own = words.map((word) => ({ word, asked: parseFilter(word).asked }));
  const isPlain = ({ asked }: { readonly asked: AskedFilter }) => asked.queue !== undefined || asked.name !== undefined;
  const { queue, name } = parseFilter(text).asked;
  const rest = own.filter((entry) => !isPlain(entry)).map(({ word }) => word);
  return withFilter(view, { queue, name, q: rest.join(' ') });
}

export function parsedView(view: JobsSearch): ParsedFilter {
  return parseFilter(filterText(view));
}

/** For an act on all that match: spans of time become times, so that the act means what was seen. */
export function bulkFilter(state: JobState | undefined, asked: AskedFilter, nowMs: number): JobFilter {
  const { olderThanMs, youngerThanMs, payloadPath, payloadValue, ...plain } = asked;
  return {
    ...(state === undefined ? {} : { state }),
    ...plain,
    ...(olderThanMs === undefined ? {} : { enqueuedBeforeMs: Math.floor(nowMs - olderThanMs) }),
    ...(youngerThanMs === undefined ? {} : { enqueuedFromMs: Math.floor(nowMs - youngerThanMs) }),
    ...(payloadPath === undefined || payloadValue === undefined
      ? {}
      : { payload: { path: payloadPath, value: payloadValue } }),
  };
}

/** Whether the store has to look at jobs one by one to answer. */
export function isSearch({ queue: _queue, name: _name, ...rest }: AskedFilter): boolean {
  return Object.keys(rest).length > 0;
}

import { useLocation, useSearch } from 'wouter';
import { useHistoryState } from 'wouter/use-browser-location';
import { paramOf, withParams } from './search-params.js';

/** Where one is in a list that has only "next": the way back is kept in the history entry, so that it outlives a reload. */
export interface CursorPages {
  readonly cursor: string | undefined;
  /** 1 for the first; unknown when the address was opened in the middle. */
  readonly number: number | undefined;
  /** The rows of another page stand in until those of this one are there: what comes next is not known yet. */
  readonly isWaiting: boolean;
  next(cursor: string): void;
  previous(): void;
  first(): void;
}

interface Trail {
  /** The cursor of each page before this one; the first page has none. */
  readonly cursors: readonly (string | null)[];
}

export function useCursorPages(): CursorPages {
  const [path, navigate] = useLocation();
  const search = useSearch();
  const trail = trailOf(useHistoryState<unknown>());
  const cursor = paramOf(search, 'cursor');
  const go = (to: string | undefined, cursors: Trail['cursors']) =>
    navigate(`${path}${withParams(search, { cursor: to })}`, { state: { cursors } satisfies Trail });
  return {
    cursor,
    number: cursor === undefined ? 1 : trail === undefined ? undefined : trail.cursors.length + 1,
    isWaiting: false,
    next: (to) => go(to, [...(trail?.cursors ?? []), cursor ?? null]),
    previous: () => go(trail?.cursors.at(-1) ?? undefined, trail?.cursors.slice(0, -1) ?? []),
    first: () => go(undefined, []),
  };
}

/** Beside the rows of another page, whose `next` leads to where one is already, or past a page. */
export function pagesBeside(pages: CursorPages, isWaiting: boolean): CursorPages {
  return isWaiting ? { ...pages, isWaiting, next: () => undefined } : pages;
}

function trailOf(state: unknown): Trail | undefined {
  if (typeof state !== 'object' || state === null || !('cursors' in state) || !Array.isArray(state.cursors))
    return undefined;
  const known = state.cursors.filter((cursor) => cursor === null || typeof cursor === 'string');
  return known.length === state.cursors.length && known.length > 0 ? { cursors: known } : undefined;
}

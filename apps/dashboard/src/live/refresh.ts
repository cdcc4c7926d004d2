import { usePaused } from './pause.js';
import { useStreamed } from './stream-state.js';

/** How a query stays fresh: by interval while the page is visible, and not at all while paused. */
export interface RefreshOptions {
  readonly refetchInterval: number | false;
  readonly refetchIntervalInBackground: false;
  readonly refetchOnWindowFocus: boolean;
  readonly refetchOnReconnect: boolean;
  readonly meta: { readonly live: true; readonly nudged: Nudged };
}

/** Whether it is asked for again when the server tells that something changed: what one watches, sooner than lists. */
export type Nudged = 'fast' | 'calm' | false;

export const OPERATION_REFRESH_MS = 1_000;
export const FAST_REFRESH_MS = 2_000;
export const CALM_REFRESH_MS = 5_000;
/** Searches look at jobs one by one: they are repeated less often, but before they count as stale. */
export const SEARCH_REFRESH_MS = 9_000;
/** While the server tells what changes: only to show that it is still there. */
export const STREAMED_REFRESH_MS = 8_000;
/** Data older than this is dimmed, and the strip says since when. */
export const STALE_AFTER_MS = 10_000;

export function useRefresh(intervalMs: number): RefreshOptions {
  const paused = usePaused();
  const streamed = useStreamed();
  return {
    refetchInterval: paused ? false : streamed ? Math.max(intervalMs, STREAMED_REFRESH_MS) : intervalMs,
    refetchIntervalInBackground: false,
    refetchOnWindowFocus: !paused,
    refetchOnReconnect: !paused,
    meta: { live: true, nudged: intervalMs <= FAST_REFRESH_MS ? 'fast' : intervalMs <= CALM_REFRESH_MS && 'calm' },
  };
}

import { usePaused } from './pause.js';

/** How a query stays fresh: by interval while the page is visible, and not at all while paused. */
export interface RefreshOptions {
  readonly refetchInterval: number | false;
  readonly refetchIntervalInBackground: false;
  readonly refetchOnWindowFocus: boolean;
  readonly refetchOnReconnect: boolean;
  readonly meta: { readonly live: true };
}

export const FAST_REFRESH_MS = 2_000;
export const CALM_REFRESH_MS = 5_000;
/** Data older than this is dimmed, and the strip says since when. */
export const STALE_AFTER_MS = 10_000;

export function useRefresh(intervalMs: number): RefreshOptions {
  const paused = usePaused();
  return {
    refetchInterval: paused ? false : intervalMs,
    refetchIntervalInBackground: false,
    refetchOnWindowFocus: !paused,
    refetchOnReconnect: !paused,
    meta: { live: true },
  };
}

import { type QueryCache, useQueryClient } from '@tanstack/react-query';
import { useCallback, useSyncExternalStore } from 'react';
import { serverClock } from '../api/server-clock.js';
import { usePaused } from './pause.js';
import { STALE_AFTER_MS } from './refresh.js';
import { useServerNow } from './server-now.js';

/** `waiting`: nothing has been answered yet. Times are the server's, in epoch milliseconds. */
export type Freshness =
  | { readonly kind: 'waiting' }
  | { readonly kind: 'live' | 'paused' | 'stale'; readonly sinceMs: number };

/** How old the oldest of the data on the page is. */
export function useFreshness(): Freshness {
  const oldestLocalMs = useOldestAnswer();
  const paused = usePaused();
  const nowMs = useServerNow();
  if (oldestLocalMs === undefined) return { kind: 'waiting' };
  const sinceMs = serverClock.fromLocal(oldestLocalMs);
  if (paused) return { kind: 'paused', sinceMs };
  return { kind: nowMs - sinceMs > STALE_AFTER_MS ? 'stale' : 'live', sinceMs };
}

function useOldestAnswer(): number | undefined {
  const cache = useQueryClient().getQueryCache();
  const subscribe = useCallback((listener: () => void) => cache.subscribe(listener), [cache]);
  return useSyncExternalStore(subscribe, () => oldestAnswer(cache));
}

function oldestAnswer(cache: QueryCache): number | undefined {
  const times = cache
    .getAll()
    .filter((query) => query.meta?.live === true && query.isActive() && query.state.dataUpdatedAt > 0)
    .map((query) => query.state.dataUpdatedAt);
  return times.length === 0 ? undefined : Math.min(...times);
}

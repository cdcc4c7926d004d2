import { useSyncExternalStore } from 'react';
import { serverClock } from '../api/server-clock.js';

/**
 * One timer for the whole page: everything that shows an age or a countdown steps together, once a second, and stands
 * still while nobody looks.
 */
let nowMs = serverClock.now();
let stop: (() => void) | undefined;
const listeners = new Set<() => void>();

function step(): void {
  if (document.hidden) return;
  nowMs = serverClock.now();
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  if (listeners.size === 0) stop = start();
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
    if (listeners.size === 0) stop?.();
  };
}

function start(): () => void {
  nowMs = serverClock.now();
  const timer = setInterval(step, 1_000);
  const stopAdjusting = serverClock.onAdjust(step);
  document.addEventListener('visibilitychange', step);
  return () => {
    clearInterval(timer);
    stopAdjusting();
    document.removeEventListener('visibilitychange', step);
  };
}

/** The server's time in epoch milliseconds, stepping once a second. */
export function useServerNow(): number {
  return useSyncExternalStore(subscribe, () => nowMs);
}

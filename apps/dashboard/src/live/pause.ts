import { useSyncExternalStore } from 'react';

let paused = false;
const listeners = new Set<() => void>();

/** Pausing stops every refresh that nobody asked for. It belongs to this page view and is not remembered. */
export function togglePause(): void {
  paused = !paused;
  for (const listener of listeners) listener();
}

export function isPaused(): boolean {
  return paused;
}

export function usePaused(): boolean {
  return useSyncExternalStore(subscribe, () => paused);
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

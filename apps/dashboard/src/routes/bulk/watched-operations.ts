import { useSyncExternalStore } from 'react';

const WATCHED_MAX = 3;
let watched: readonly string[] = [];
const listeners = new Set<() => void>();

/** Operations that this page started, the latest last: shown with their progress until they are dismissed. */
export function watchOperation(id: string): void {
  change([...watched.filter((known) => known !== id), id].slice(-WATCHED_MAX));
}

export function forgetOperation(id: string): void {
  change(watched.filter((known) => known !== id));
}

export function useWatchedOperations(): readonly string[] {
  return useSyncExternalStore(subscribe, () => watched);
}

function change(next: readonly string[]): void {
  watched = next;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

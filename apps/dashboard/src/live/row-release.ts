import { useSyncExternalStore } from 'react';

let releases = 0;
const listeners = new Set<() => void>();

/** After an act lists show their fresh order once, wherever the pointer is: who acted expects the rows to move. */
export function releaseRows(): void {
  releases += 1;
  for (const listener of listeners) listener();
}

export function useReleases(): number {
  return useSyncExternalStore(subscribe, () => releases);
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

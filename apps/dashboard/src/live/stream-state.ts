import { useSyncExternalStore } from 'react';
import type { EventStream } from './event-stream.js';

let stream: EventStream | undefined;
const listeners = new Set<() => void>();

/** From now on its state is the answer of `useStreamed`. */
export function showStream(shown: EventStream | undefined): void {
  stream = shown;
  stream?.subscribe(notify);
  notify();
}

/** Whether events arrive, so that nobody need ask often. */
export function useStreamed(): boolean {
  return useSyncExternalStore(subscribe, () => stream?.live() ?? false);
}

function notify(): void {
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

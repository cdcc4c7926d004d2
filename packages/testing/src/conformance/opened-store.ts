import type { JobStore } from '@holdfast/contract';
import type { VirtualClock } from '../virtual-clock.js';

/** A store made for one test: empty, and nobody else's. */
export interface OpenedStore {
  readonly store: JobStore;
  /** The clock that the store runs on. A store without one runs in real time, and the suite waits. */
  readonly clock?: VirtualClock;
  /** It keeps jobs as it was told to when it was opened. The rules about that are left out where it does so in ways of its own. */
  readonly heedsRetention?: true;
  /** Called after the test, whatever became of the store: lets go of everything. */
  close(): Promise<void>;
  /**
   * Ends the store, in order or as when its process is killed, and opens anew what it kept. Absent where nothing is kept.
   */
  reopen?(how: 'closed' | 'killed'): Promise<JobStore>;
}

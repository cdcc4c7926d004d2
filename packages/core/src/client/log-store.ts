import type { JobStore, SnapshotReport } from '@holdfast/contract';
import type { HealthListener } from './health-report.js';

type OptionalCall = 'events' | 'note' | 'onLeasesCancelled' | 'histograms';

/** A JobStore whose engine can be lost and comes back by itself. */
export interface LogStore extends Omit<JobStore, OptionalCall>, Required<Pick<JobStore, OptionalCall>> {
  /**
   * Called with the new health whenever it changes.
   * @returns how to stop listening
   */
  onHealthChange(listener: HealthListener): () => void;

  /**
   * Makes a backup of the store in a directory that is absent or empty, while all other calls go on. When it is answered, the backup is
   * durable and holds everything that was answered before the call; it is a log like any other, for `openLogStore` and for
   * `holdfast verify`. On the same disk it costs almost no room (its files are links); copy it elsewhere to outlive that disk.
   *
   * A store that is opened from it gives out no id or token that this one gives out in its next 1,000 opens. Jobs that were acked
   * after the snapshot run again there, and those that were enqueued after it are missing.
   * @throws SnapshotFailedError when it could not be made: nothing that an open takes for a store is left there.
   * @throws StoreFailedError, StoreClosedError when the store ends meanwhile; the same holds then.
   */
  snapshot(directory: string | URL): Promise<SnapshotReport>;
}

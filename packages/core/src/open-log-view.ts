import type { JobStore, RetentionOptions } from '@holdfast/contract';
import { checkedRetention, checkWhole } from '@holdfast/contract/rules';
import { directoryPath } from './client/directory-path.js';
import { startViewThread } from './client/engine-thread-process.js';
import { LogStoreClient } from './client/log-store-client.js';
import { LogViewStore } from './client/log-view-store.js';
import { afterOverdueWork } from './client/overdue-work.js';
import { LogSnapshot } from './log/log-snapshot.js';
import { NodeFileSystem } from './log/node-file-system.js';
import { systemClock } from './system-clock.js';

export interface LogViewOptions {
  /** Where the log lives. It is never written to. */
  readonly directory: string | URL;
  /** A sentence for those whose acts are refused: why, and where to act instead. */
  readonly because: string;
  /** The log is looked at this often, and read anew where it has changed. Milliseconds; default 5000. */
  readonly everyMs?: number;
}

/** As many as are kept by default; until when each is kept only the owner knows. */
const SHOWN: RetentionOptions = { completed: { ageMs: null }, cancelled: { ageMs: null }, dead: { ageMs: null } };
const EVERY_MS = 5000;
const EVERY_MS_MIN = 10;
const EVERY_MS_MAX = 3_600_000;
const READ_TIMEOUT_MS = 24 * 3_600_000;

/**
 * Shows the jobs of a log that another process may own: takes no lock and writes nothing, so it disturbs nobody. The store answers
 * questions from what it read last (`health().asOfMs`) and refuses everything else with StoreReadOnlyError. Unstable: it may change
 * in a patch release.
 *
 * Each reading replays the whole log on a thread of its own, whose memory holds the state of all jobs; while the next one is under way
 * there are two of them. A log whose reading takes long is read less often, so that a tenth of the time is spent on it.
 * @throws LogCorruptError, LogVersionError, StoreOpenError, and the error of the operating system where there is no such directory
 */
export async function openLogView({ because, everyMs = EVERY_MS, ...given }: LogViewOptions): Promise<JobStore> {
  const directory = directoryPath(given.directory);
  checkWhole('everyMs', everyMs, EVERY_MS_MIN, EVERY_MS_MAX);
  const retention = checkedRetention(SHOWN);
  const fileSystem = new NodeFileSystem();
  return LogViewStore.open({
    read: () =>
      LogStoreClient.open({
        startEngine: (formerStoreTag) => startViewThread({ directory, retention, formerStoreTag }),
        clock: systemClock,
        afterOverdueWork,
        location: directory,
        openTimeoutMs: READ_TIMEOUT_MS,
      }),
    fingerprint: () => {
      const snapshot = LogSnapshot.take(fileSystem, directory);
      snapshot.close();
      return snapshot.fingerprint;
    },
    clock: systemClock,
    everyMs,
    because,
  });
}

import type { RetentionOptions } from '@holdfast/contract';
import { checkedRetention, checkKeys, checkWhole } from '@holdfast/contract/rules';
import { directoryPath } from './client/directory-path.js';
import { startEngineThread } from './client/engine-thread-process.js';
import type { LogStore } from './client/log-store.js';
import { LogStoreClient } from './client/log-store-client.js';
import { afterOverdueWork } from './client/overdue-work.js';
import { LIMITS } from './limits.js';
import { systemClock } from './system-clock.js';

export interface LogStoreOptions {
  /** Where the log lives: made if absent, owned by one process at a time. A path, or a `file:` URL. */
  readonly directory: string | URL;
  /** A segment that has reached this size is followed by a new one. 64 KiB to 1 GiB; default 64 MiB. */
  readonly segmentBytes?: number;
  /**
   * Kept back on the disk: when nothing else is left there, new jobs are refused (`StoreFullError`), and those that are there are worked
   * off with its help. 64 KiB to 1 GiB, or 0 for none; default 8 MiB.
   */
  readonly diskReserveBytes?: number;
  /**
   * How many jobs that came to an end are kept, and for how long. Default: of each queue the last 1,000 completed and the last 1,000
   * cancelled ones, for 24 hours at most, and the last 100,000 dead ones for 14 days.
   */
  readonly retention?: RetentionOptions;
  /** Opening reads the whole log; one that takes longer is given up. Milliseconds; default 300,000 (5 minutes). */
  readonly openTimeoutMs?: number;
}

/** Complete because the compiler says so. A misspelt one would be a default that nobody wanted. */
const OPTIONS: Record<keyof LogStoreOptions, true> = {
  directory: true,
  segmentBytes: true,
  diskReserveBytes: true,
  retention: true,
  openTimeoutMs: true,
};

const OPEN_TIMEOUT_MS = 300_000;
const OPEN_TIMEOUT_MS_MAX = 24 * 3_600_000;

/**
 * Opens the job store of a directory, on a thread of its own. Resolves when the log has been read and the store is ready.
 *
 * What it promises:
 * - `enqueue` answers after its jobs are on stable storage (`fdatasync` has returned): no crash, kill or power cut loses them.
 * - A job is leased to one claim at a time; an ack with a stale token changes nothing. A job that is not acked comes back.
 * - Acks, failures, releases and started attempts are written before they are answered, so the end of the process loses none of them.
 *   They are on stable storage with the next sync, which begins within 50 ms or after the one under way: a power cut in between runs a
 *   job again.
 * - When the disk is full, only new jobs are refused (`StoreFullError`, nothing written), and taken again by itself when there is room:
 *   see `diskReserveBytes`. `health()` says `full` meanwhile.
 * - If the engine is lost (its thread ended, the disk failed) calls under way fail with `StoreFailedError`, outcome
 *   `unknown`. The store then opens itself again from the log; calls made meanwhile wait, up to 10 seconds, and are then
 *   rejected. `health()` tells, and `onHealthChange`. Where its directory is gone, empty or another's by then, it stays failed
 *   until that is put back.
 *
 * A store keeps its process alive only while a call is under way, a waiting claim included: a worker keeps its process
 * running, a script that only enqueues ends by itself. A process that ends without `close` loses nothing, but jobs leased by then
 * count an attempt, and the next open reads the log with more care.
 *
 * @throws StoreLockedError (with the pid of the holder) when another process, or this one, has the directory open.
 * @throws LogCorruptError when the log is damaged in a way that no crash explains: no byte was changed.
 * @throws LogVersionError when the log was written by a newer Holdfast or is none.
 * @throws StoreOpenError when the directory cannot be used, or opening took longer than `openTimeoutMs`.
 */
export async function openLogStore(options: LogStoreOptions): Promise<LogStore> {
  checkKeys('openLogStore', options, Object.keys(OPTIONS));
  const directory = directoryPath(options.directory);
  const { segmentBytes = LIMITS.segmentBytesDefault, diskReserveBytes: reserveBytes = LIMITS.diskReserveBytesDefault } =
    options;
  const retention = checkedRetention(options.retention);
  const { openTimeoutMs = OPEN_TIMEOUT_MS } = options;
  checkWhole('segmentBytes', segmentBytes, LIMITS.segmentBytesMin, LIMITS.segmentBytesMax);
  if (reserveBytes !== 0) {
    checkWhole('diskReserveBytes', reserveBytes, LIMITS.diskReserveBytesMin, LIMITS.diskReserveBytesMax);
  }
  checkWhole('openTimeoutMs', openTimeoutMs, 1, OPEN_TIMEOUT_MS_MAX);
  return LogStoreClient.open({
    startEngine: (formerStoreTag) =>
      startEngineThread({ directory, segmentBytes, reserveBytes, retention, formerStoreTag }),
    clock: systemClock,
    afterOverdueWork,
    location: directory,
    openTimeoutMs,
  });
}

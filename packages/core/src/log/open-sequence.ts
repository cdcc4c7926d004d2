import { HoldfastError, StoreOpenError } from '@holdfast/contract';
import { InvariantError } from '../invariant.js';
import { LIMITS } from '../limits.js';
import { lockDirectory } from './directory-lock.js';
import { DiskSpace } from './disk-space.js';
import type { FileLock } from './file-system.js';
import { examineLog, type LogExamination } from './log-examination.js';
import type { LogOptions } from './log-options.js';
import type { LogRecovery, LogReplay } from './log-record.js';
import { type Recovered, recover } from './recovery.js';
import { refuseWriting, type SegmentHeader } from './segment-header.js';

export interface OpenedLog {
  readonly lock: FileLock;
  readonly space: DiskSpace;
  readonly recovered: Recovered;
  readonly recovery: LogRecovery;
}

/** Lock, verdict, action. Whatever fails gives the lock back. */
export function openLog(options: LogOptions, replay: LogReplay): OpenedLog {
  const { fileSystem, directory } = options;
  const startedMs = options.monotonicMs();
  return withOpenErrors(directory, () => {
    if (options.isFormer === undefined) fileSystem.createDirectory(directory);
    const lock = lockDirectory(fileSystem, directory);
    let space: DiskSpace | undefined;
    try {
      const found = examineLog(fileSystem, directory, {
        record: (record) => replay.record(record),
        segment: (_, header) => replay.segment?.(header),
      });
      const wanted = recoveryOptions(found, options, replay);
      space = new DiskSpace({ ...diskOptions(options), fileSystem, directory });
      const recovered = recover(found, { ...wanted, fileSystem: space.fileSystem });
      const recovery = describe(found, recovered, options.monotonicMs() - startedMs);
      return { lock, space, recovered, recovery };
    } catch (error) {
      space?.close();
      lock.unlock();
      throw error;
    }
  });
}

function diskOptions(options: LogOptions) {
  const { random, reserveBytes = 0, onFullChange } = options;
  return { random, reserveBytes, onFullChange, now: () => options.now(), monotonicMs: () => options.monotonicMs() };
}

function recoveryOptions(found: LogExamination, options: LogOptions, replay: LogReplay) {
  const segments = found.unused === undefined ? found.segments : [...found.segments, found.unused];
  for (const { header, file } of segments) refuseWriting(header, file);
  const headers = segments.map(({ header }) => header);
  requireFormer(headers[0]?.storeId, options);
  const { directory, random, segmentBytes } = options;
  const epoch = 1 + largest(headers, ({ epoch: used }) => used);
  if (epoch >= LIMITS.epochMax) {
    throw new StoreOpenError(
      directory,
      `it was opened ${LIMITS.epochMax} times, which is all that its tokens can tell apart.`,
    );
  }
  const storeId = headers[0]?.storeId ?? random.bytes(16);
  const idFloor = Math.max(
    1,
    replay.nextId(),
    largest(headers, (header) => header.idFloor),
  );
  const rankFloor = Math.max(
    replay.rankFloor?.() ?? 0,
    largest(headers, (header) => header.rankFloor),
  );
  return { directory, random, nowMs: options.now(), epoch, storeId, idFloor, rankFloor, segmentBytes };
}

/** Going on with an empty log, or another, would hide that all that was stored is out of sight. */
function requireFormer(storeId: Uint8Array | undefined, { directory, isFormer }: LogOptions): void {
  if (isFormer === undefined || (storeId !== undefined && isFormer(storeId))) return;
  const found = storeId === undefined ? 'it is empty' : 'it holds another store';
  throw new StoreOpenError(
    directory,
    `${found}, but was open with a store in it before. Put that directory back; to do without it, start the application again.`,
  );
}

function largest(headers: readonly SegmentHeader[], pick: (header: SegmentHeader) => number): number {
  return headers.reduce((most, header) => Math.max(most, pick(header)), 0);
}

function describe(found: LogExamination, { tornTail }: Recovered, tookMs: number): LogRecovery {
  const segments = found.segments.length + (found.unused === undefined ? 0 : 1);
  const kind = segments === 0 ? 'new' : found.clean ? 'clean' : 'unclean';
  const { bytesRead, records } = found;
  return { kind, tookMs, segments, bytesRead, records, ...(tornTail && { tornTail }) };
}

/** Errors of the operating system become one that says which directory could not be opened. */
function withOpenErrors<Result>(directory: string, open: () => Result): Result {
  try {
    return open();
  } catch (error) {
    if (error instanceof HoldfastError || error instanceof InvariantError) throw error;
    const problem = error instanceof Error ? error.message : String(error);
    throw new StoreOpenError(directory, problem, { cause: error });
  }
}

import type { CompactionReport, RecoveryReport, SegmentReport, StorageReport } from '@holdfast/contract';
import { processEndedError } from '@holdfast/contract/rules';
import type { SegmentedLog } from '../log/segmented-log.js';
import type { JobTable } from '../state/job-table.js';
import { CAUSE } from '../state/record-kinds.js';
import type { KeptBytes } from '../state/segment-bytes.js';
import type { Commits } from './commits.js';
import type { Settling } from './settling.js';

/**
 * Ends every lease that a replay left open, since its process is gone: the attempt counts. Durable when it returns, so that a job
 * that ends its process again and again comes to its last attempt.
 */
export function endFormerLeases(table: JobTable, settling: Settling, commits: Commits): RecoveryReport['leasesEnded'] {
  const { leases } = table;
  const ended = { retried: 0, dead: 0 };
  while (leases.size > 0) {
    const lease = leases.top;
    const error = processEndedError(leases.worker[lease]!);
    const then = settling.endAttempt(leases.job[lease]!, leases.token[lease]!, CAUSE.processEnded, error, 'backoff');
    if (then === 'dead') ended.dead++;
    else ended.retried++;
  }
  if (ended.retried + ended.dead > 0) commits.commitNow();
  return ended;
}

export function recoveryReport(
  log: SegmentedLog,
  atMs: number,
  leasesEnded: RecoveryReport['leasesEnded'],
): RecoveryReport {
  const { kind, tookMs, segments, bytesRead, records, tornTail } = log.recovery;
  return {
    kind,
    atMs,
    tookMs,
    segments,
    bytesRead,
    recordsReplayed: records,
    ...(tornTail === undefined ? {} : { tornTail }),
    leasesEnded,
    epoch: log.epoch,
  };
}

export function storageReport(
  log: SegmentedLog,
  location: string,
  kept: KeptBytes,
  recovery: RecoveryReport,
  compaction: CompactionReport,
): StorageReport {
  const diskFreeBytes = log.space.freeBytes();
  const diskReserve = log.space.report();
  return {
    kind: 'log',
    location,
    storeId: Buffer.from(log.storeId).toString('hex'),
    segments: log.segments().map((segment) => withLive(segment, kept)),
    bytes: log.bytes,
    ...(diskFreeBytes === undefined ? {} : { diskFreeBytes }),
    ...(diskReserve === undefined ? {} : { diskReserve }),
    durableSeq: String(log.durableSeq),
    recovery,
    compaction,
  };
}

/** A segment, and what compaction would have to write of it again. */
export function withLive(segment: SegmentReport, kept: KeptBytes): SegmentReport {
  return { ...segment, liveBytes: kept.of(segment.number), rememberedBytes: kept.facts.of(segment.number) };
}

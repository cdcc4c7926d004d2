import { formatId, storeTag } from '@holdfast/core/records';
import type { IdRange } from './loss.js';
import type { Repair } from './repair.js';

/** Everything of the source that had been durable is in the copy, and stands there as it stood. */
export function isWhole({ loss, survey }: Repair): boolean {
  const noRecordLost = loss.gaps.every(({ recordsLost }) => recordsLost === 0);
  return noRecordLost && loss.leftOut.length === 0 && loss.skipped.records === 0 && survey.foreign.length === 0;
}

/** The whole report, with ids as they are shown elsewhere. */
export function repairJson(repair: Repair) {
  const { source, target, survey, storeId, torn, loss, comingBack, jobs } = repair;
  const tag = storeTag(storeId);
  const idText = (id: number) => formatId(tag, id);
  const range = ({ firstId, lastId }: IdRange) => ({
    firstJob: idText(firstId),
    lastJob: lastId === undefined ? null : idText(lastId),
    jobsAtMost: lastId === undefined ? null : lastId - firstId + 1,
  });
  return {
    source,
    target: target ?? null,
    nothingLost: isWhole(repair),
    storeIdKept: survey.newest !== undefined,
    jobsKept: jobs.counts,
    damage: loss.gaps.map(({ attemptsLost, boundary: _, lastSeq, recordsLost, ...gap }) => ({
      ...gap,
      lastSeq: lastSeq ?? null,
      recordsLost: recordsLost ?? null,
      attemptsLostWithoutTrace: attemptsLost ?? null,
    })),
    tornEnd:
      torn === undefined ? null : { file: torn.file, offset: torn.offset, bytes: torn.bytes, problem: torn.problem },
    foreignSegments: survey.foreign,
    recordsLeftOut: loss.leftOut,
    unknownRecordsSkipped: loss.skipped.records,
    jobsLost: loss.lostJobs.map(({ id, lastKnown }) => ({ job: idText(id), lastKnown })),
    jobsNeverSeen: loss.neverSeen.map(range),
    jobsNeverSeenAtMost: loss.neverSeenJobs ?? null,
    completedJobsWithoutBeginning: loss.completedJobs,
    historyGaps: loss.historyGaps.map(({ id, what }) => ({ job: idText(id), lost: what })),
    attemptCounts: [...loss.attemptCounts.values()].map(({ id, ...counts }) => ({ job: idText(id), ...counts })),
    mayComeBack: { likely: comingBack.likely.map(idText), possible: comingBack.possible.map(idText) },
  };
}

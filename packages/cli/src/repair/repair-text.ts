import { formatId, storeTag } from '@holdfast/core/records';
import { bytesText, counted, countText, rangeText } from '../terminal/figures.js';
import type { Output } from '../terminal/output.js';
import { countsText } from '../verify/job-figures.js';
import type { JudgedGap } from './loss.js';
import type { Repair } from './repair.js';
import { isWhole } from './repair-report.js';

const LISTED_MAX = 20;

/** The report for people. Long lists are cut: the whole of them is in the JSON. */
export function printRepair(repair: Repair, target: string, out: Output): void {
  const { source, loss, jobs } = repair;
  const isDry = repair.target === undefined;
  out.line(isDry ? `What a repair of ${source} would do (nothing was written):` : `Repaired ${source} into ${target}`);
  out.line();
  printDamage(repair, out);
  out.line(`Jobs ${isDry ? 'that would be kept' : 'kept'}: ${countsText(jobs.counts)}`);
  printLostJobs(repair, out);
  printHistory(repair, out);
  printComingBack(repair, out);
  out.line();
  if (loss.gaps.some(({ recordsLost }) => recordsLost !== 0)) {
    out.line('What operators did in a lost part (cancel, remove, pause and so on) is undone.');
  }
  if (isWhole(repair)) out.line('Nothing is lost.', 'good');
  else if (loss.gaps.length + loss.leftOut.length > 0) out.line('Not all could be saved: see above.', 'warning');
  if (isDry) return;
  out.line(`${source} is as it was. ${target} can be opened as a store; repair-report.json in it lists everything.`);
}

function printDamage({ loss, torn, survey }: Repair, out: Output): void {
  printList(out, 'Damage', loss.gaps.map(gapText));
  if (torn !== undefined) {
    out.line(
      `Torn end, left out as an open would: ${torn.file} from byte ${torn.offset} on, ${bytesText(torn.bytes)}: ${torn.problem}.`,
    );
  }
  printList(out, 'Segments of another store, left out', survey.foreign);
  const leftOut = loss.leftOut.map(({ file, offset, problem }) => `${file}, byte ${offset}: ${problem}`);
  printList(out, 'Whole records that could not be kept', leftOut);
  const { records } = loss.skipped;
  if (records > 0) out.line(`Left out: ${counted(records, 'record')} of kinds that this version does not know.`);
  if (survey.newest !== undefined) return;
  out.line(
    'No header of a segment is whole: the store gets a new identity, and the ids of its jobs a new beginning.',
    'warning',
  );
}

function gapText({ file, offset, bytes, problem, firstSeq, lastSeq, recordsSaved, recordsLost }: JudgedGap): string {
  const place = bytes === 0 && offset === 0 ? file : `${file}, byte ${offset}, ${bytesText(bytes)}`;
  const frames =
    lastSeq === undefined ? `frame ${countText(firstSeq)} and on` : `frame ${rangeText(firstSeq, lastSeq)}`;
  const lost = recordsLost === undefined ? 'records lost' : `${counted(recordsLost, 'record')} lost`;
  const saved = recordsSaved === 0 ? '' : `, ${countText(recordsSaved)} saved`;
  return `${place}: ${problem} (${lastSeq !== undefined && lastSeq < firstSeq ? 'no frame' : frames}; ${lost}${saved})`;
}

function printLostJobs({ loss, storeId }: Repair, out: Output): void {
  const tag = storeTag(storeId);
  const named = loss.lostJobs.map(({ id, lastKnown }) => `${formatId(tag, id)} (${lastKnown} when last heard of)`);
  printList(out, 'Jobs lost, because their payload is', named, 'bad');
  const ranges = loss.neverSeen.map(({ firstId, lastId }) => {
    if (lastId === undefined) return `${formatId(tag, firstId)} and any behind it`;
    return firstId === lastId ? formatId(tag, firstId) : `${formatId(tag, firstId)} to ${formatId(tag, lastId)}`;
  });
  const { neverSeenJobs: most } = loss;
  if (ranges.length > 0) {
    const count = most === undefined ? 'an unknown number of jobs' : `at most ${counted(most, 'job')}`;
    printList(out, `Ids of which no whole record is left (${count}; some may have been completed)`, ranges, 'bad');
  }
  if (loss.completedJobs > 0) {
    out.line(
      `Of ${counted(loss.completedJobs, 'job')} only the completion is left. They are done, and not in the copy.`,
    );
  }
}

function printHistory({ loss, storeId }: Repair, out: Output): void {
  const tag = storeTag(storeId);
  const gaps = loss.historyGaps.map(({ id, what }) => `${formatId(tag, id)}: the ${what} is lost`);
  printList(out, 'Jobs whose history has a gap', gaps);
  const counts = [...loss.attemptCounts.values()].map(
    ({ id, written, counted: count }) => `${formatId(tag, id)}: ${count} instead of ${written}`,
  );
  printList(out, 'Jobs whose attempts are counted from what is left', counts);
}

function printComingBack({ comingBack, storeId }: Repair, out: Output): void {
  const tag = storeTag(storeId);
  const { likely, possible } = comingBack;
  const names = (ids: readonly number[]) => ids.map((id) => formatId(tag, id));
  printList(out, 'May run again although completed: leased when the lost part began', names(likely), 'warning');
  printList(out, 'Could run again although completed: waiting when the lost part began', names(possible), 'warning');
}

function printList(out: Output, title: string, lines: readonly string[], tone?: 'warning' | 'bad'): void {
  if (lines.length === 0) return;
  out.line(`${title} (${countText(lines.length)}):`, tone);
  for (const line of lines.slice(0, LISTED_MAX)) out.line(`  ${line}`);
  if (lines.length > LISTED_MAX) out.line(`  … and ${countText(lines.length - LISTED_MAX)} more (--json lists all)`);
}

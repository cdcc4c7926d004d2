import { storeTag } from '@holdfast/core/records';
import { ownerText } from '../source/open-source.js';
import { bytesText, counted, countText, rangeText } from '../terminal/figures.js';
import type { Output } from '../terminal/output.js';
import { countsText } from './job-figures.js';
import type { Verification } from './verify.js';

const QUEUES_SHOWN_MAX = 20;
const SEGMENTS_SHOWN_MAX = 20;

export function verificationJson(verification: Verification) {
  const { directory, owner, bytes, figures, jobs, unusedSegment, retired, temporary, verdict } = verification;
  const { storeId, segments, frames, records } = figures;
  return {
    directory,
    owner: owner ?? null,
    storeId: storeId === undefined ? null : Buffer.from(storeId).toString('hex'),
    bytes,
    segments,
    frames,
    records,
    jobs: jobs.counts,
    queues: jobs.queues,
    unusedSegment: unusedSegment ?? null,
    retired,
    temporary,
    verdict,
  };
}

export function printVerification(verification: Verification, out: Output): void {
  const { directory, owner, figures, bytes, jobs, verdict } = verification;
  const isCut = verdict.kind === 'damaged' || verdict.kind === 'unknownFormat';
  const tag = figures.storeId === undefined ? '' : `, ids begin with ${storeTag(figures.storeId)}-`;
  out.line(`Log in ${directory}${tag}`);
  if (owner !== undefined)
    out.line(`Open: ${ownerText(owner)}. The very end may look torn while it writes.`, 'warning');
  out.line();
  printSegments(verification, out);
  const read = isCut ? 'Before the damage' : 'In all';
  const counts = [counted(figures.frames, 'frame'), counted(figures.records, 'record')];
  out.line(
    `${read}: ${counted(figures.segments.length, 'segment')}, ${counts.join(', ')}; ${bytesText(bytes)} on disk`,
  );
  out.line(`Jobs: ${countsText(jobs.counts)}`);
  printQueues(verification, out);
  out.line();
  printVerdict(verification, out);
}

function printSegments({ figures, unusedSegment, retired, temporary }: Verification, out: Output): void {
  const { segments } = figures;
  const hidden = Math.max(0, segments.length - SEGMENTS_SHOWN_MAX);
  if (hidden > 0) out.line(`  (${counted(hidden, 'earlier segment')} not listed; --json lists all)`);
  for (const { file, epoch, firstSeq, lastSeq, frames, records } of segments.slice(hidden)) {
    const range = frames === 0 ? '' : ` (seq ${rangeText(firstSeq, lastSeq)})`;
    out.line(`  ${file}  epoch ${epoch}, ${counted(frames, 'frame')}${range}, ${counted(records, 'record')}`);
  }
  if (unusedSegment !== undefined) out.line(`  ${unusedSegment}  no frame yet`);
  if (retired.length > 0) out.line(`  ${counted(retired.length, 'retired segment')}: removed by the next open`);
  if (temporary.length > 0) out.line(`  ${counted(temporary.length, 'unfinished file')}: removed by the next open`);
}

function printQueues({ jobs }: Verification, out: Output): void {
  for (const { queue, counts } of jobs.queues.slice(0, QUEUES_SHOWN_MAX)) out.line(`  ${queue}: ${countsText(counts)}`);
  const hidden = jobs.queues.length - QUEUES_SHOWN_MAX;
  if (hidden > 0) out.line(`  (${counted(hidden, 'more queue')}; --json lists all)`);
}

function printVerdict({ verdict, owner, directory }: Verification, out: Output): void {
  switch (verdict.kind) {
    case 'clean':
      out.line('Clean: all of it is valid, and it was closed in order.', 'good');
      return;
    case 'unclosed': {
      const why = owner === undefined ? 'It was not closed in order; an open loses nothing.' : 'It is open.';
      out.line(`Sound: all of it is valid. ${why}`, 'good');
      return;
    }
    case 'torn': {
      const { file, offset, bytes, firstSeq, problem } = verdict;
      out.line(`Torn end: ${file} from byte ${offset} on, ${counted(bytes, 'byte')}: ${problem}.`, 'warning');
      out.line(`All before it is valid. Frame ${countText(firstSeq)} and what follows were never answered as stored.`);
      out.line(
        owner === undefined
          ? 'An open cuts these bytes off and keeps them in quarantine/.'
          : 'It may just be being written.',
      );
      return;
    }
    case 'damaged':
      out.line(`Damaged: ${verdict.file}, byte ${verdict.offset}: ${verdict.problem}.`, 'bad');
      out.line(
        'An open refuses this log. Keep a copy of the directory and restore a backup, or see what can be saved:',
      );
      out.line(`  holdfast repair ${quoted(directory)} --to <new-dir> --dry-run`);
      return;
    case 'unknownFormat':
      out.line(`Unknown format: ${verdict.file}: ${verdict.problem}.`, 'bad');
      out.line('Use the version of holdfast that wrote it.');
  }
}

function quoted(path: string): string {
  return /^[\w./-]+$/.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`;
}

import { randomBytes } from 'node:crypto';
import { DEFAULT_RETENTION } from '@holdfast/contract/rules';
import {
  type BackupPlan,
  examineLog,
  headerApart,
  LogBackup,
  type LogExamination,
  type LogSnapshot,
  NodeFileSystem,
  type SegmentHeader,
} from '@holdfast/core/log';
import { JobTable, Replay } from '@holdfast/core/records';
import type { CommandContext } from '../command-context.js';
import type { SnapshotCommand } from '../command-line.js';
import { EXIT, type ExitCode } from '../exit-code.js';
import { requireEmptyTarget } from '../repair/target.js';
import { openSource } from '../source/open-source.js';
import { counted } from '../terminal/figures.js';

/** Copies a log that is sound, also while its store is open: as it was at one moment. */
export async function snapshot(command: SnapshotCommand, context: CommandContext): Promise<ExitCode> {
  const { directory, target } = command;
  requireEmptyTarget(directory, target, 'snapshot');
  const source = openSource(directory);
  try {
    const { report } = copyLog(source, target, context);
    context.progress.clear();
    if (command.json) context.out.jsonLines({ ...report, source: directory });
    else {
      context.out.line(
        `${target} holds a snapshot of ${directory}: ${counted(report.segments, 'segment')}, ${counted(report.bytes, 'byte')}.`,
      );
      context.out.line('It gives out no id or token that the store gives out in its next 1,000 opens.');
    }
    await context.out.flush();
    return EXIT.sound;
  } finally {
    source.close();
  }
}

/** @throws LogCorruptError if the log is damaged: nothing is copied then */
function copyLog(source: LogSnapshot, target: string, { progress, now }: CommandContext): LogBackup {
  const replay = new Replay(new JobTable(DEFAULT_RETENTION));
  const { bytes: all } = source;
  let read = 0;
  const found = examineLog(source, source.directory, {
    record: (record) => {
      replay.record(record);
      read += record.recordBytes;
      progress.report('Reading', read, all);
    },
    segment: (_, header) => replay.segment(header),
  });
  const fileSystem = new NodeFileSystem();
  fileSystem.createDirectory(target);
  const random = { fraction: () => 0, bytes: (count: number) => new Uint8Array(randomBytes(count)) };
  const plan = planOf(found, now());
  const backup = new LogBackup(plan, { source, fileSystem, target, random });
  try {
    const { bytes } = backup.report;
    while (backup.step()) progress.report('Copying', backup.copiedBytes, bytes);
  } catch (error) {
    backup.undo();
    throw error;
  }
  return backup;
}

/** What was torn off was never answered, and is left behind. */
function planOf({ segments, unused }: LogExamination, nowMs: number): BackupPlan {
  const tail = segments.at(-1);
  const newest = unused?.header ?? tail?.header;
  if (newest === undefined) throw new Error('A log without a segment was examined.');
  const next = tail === undefined ? newest : { ...newest, ...factsOf(tail) };
  const minSegment = segments[0]?.header.segmentNumber ?? next.segmentNumber;
  return {
    segments: segments.map(({ file, end }) => ({ file, bytes: end, mayLink: false })),
    next: headerApart({ ...next, createdAtMs: nowMs }, minSegment),
  };
}

function factsOf({ header, end, lastSeq, lastCrc }: NonNullable<LogExamination['segments'][number]>) {
  const facts: Partial<SegmentHeader> = {
    segmentNumber: header.segmentNumber + 1,
    firstSeq: lastSeq + 1,
    previousSegment: header.segmentNumber,
    previousEnd: end,
    previousLastSeq: lastSeq,
    previousCrc: lastCrc,
  };
  return facts;
}

import { DEFAULT_RETENTION } from '@holdfast/contract/rules';
import { examineLog, type LogSnapshot } from '@holdfast/core/log';
import { JobTable, Replay } from '@holdfast/core/records';
import type { CommandContext } from '../command-context.js';
import type { VerifyCommand } from '../command-line.js';
import type { ExitCode } from '../exit-code.js';
import { findLiveOwner, type LiveOwner, openSource } from '../source/open-source.js';
import type { Progress } from '../terminal/progress.js';
import { countJobs, type JobFigures } from './job-figures.js';
import { LogFigures } from './log-figures.js';
import { judge, VERDICT_CODES, type Verdict, verdictOf } from './verdict.js';
import { printVerification, verificationJson } from './verification-text.js';

/** What a log was found to be. Where it is damaged, the figures are those of what comes before. */
export interface Verification {
  readonly directory: string;
  readonly owner: LiveOwner | undefined;
  readonly bytes: number;
  readonly figures: LogFigures;
  readonly jobs: JobFigures;
  readonly unusedSegment: string | undefined;
  readonly retired: readonly string[];
  readonly temporary: readonly string[];
  readonly verdict: Verdict;
}

export async function verify(command: VerifyCommand, context: CommandContext): Promise<ExitCode> {
  const snapshot = openSource(command.directory);
  try {
    const verification = verifyLog(snapshot, context.progress);
    context.progress.clear();
    if (command.json) context.out.jsonLines(verificationJson(verification));
    else printVerification(verification, context.out);
    await context.out.flush();
    return VERDICT_CODES[verification.verdict.kind];
  } finally {
    snapshot.close();
  }
}

/** Reads all of a log and replays it into a table of jobs, as an open does. */
export function verifyLog(snapshot: LogSnapshot, progress: Progress): Verification {
  const table = new JobTable(DEFAULT_RETENTION);
  const replay = new Replay(table);
  const { directory, bytes } = snapshot;
  let readBefore = 0;
  let lastFile = '';
  let lastEnd = 0;
  const figures = new LogFigures(
    (file, { offset }) => {
      if (file !== lastFile) readBefore += lastEnd;
      lastFile = file;
      lastEnd = offset;
      progress.report('Verifying', readBefore + offset, bytes);
    },
    (record) => replay.record(record),
    (header) => replay.segment(header),
  );
  const owner = findLiveOwner(directory);
  const base = { directory, owner, bytes, figures };
  try {
    const found = examineLog(snapshot, directory, figures);
    const { temporary, unused } = found;
    const retired = found.retired.map(({ name }) => name);
    const verdict = judge(snapshot, found);
    return { ...base, jobs: countJobs(table), unusedSegment: unused?.name, retired, temporary, verdict };
  } catch (error) {
    const verdict = verdictOf(error);
    if (verdict === undefined) throw error;
    return { ...base, jobs: countJobs(table), unusedSegment: undefined, retired: [], temporary: [], verdict };
  }
}

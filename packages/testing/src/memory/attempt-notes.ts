import type { Attempt } from '@holdfast/contract';
import { type CheckedNote, LineAllowance } from '@holdfast/contract/rules';

/** The attempts of a job, of which the last one is told something. All its attempts together keep so many lines. */
export function withNote(attempts: readonly Attempt[], { progress, lines, droppedLines }: CheckedNote): Attempt[] {
  const allowance = new LineAllowance();
  const last = attempts.length - 1;
  return attempts
    .map((attempt, index) => {
      if (index !== last) return attempt;
      const told = [...(attempt.lines ?? []), ...lines];
      const dropped = (attempt.droppedLines ?? 0) + droppedLines;
      const shown = progress === undefined ? {} : { progress };
      return { ...attempt, ...shown, lines: told, droppedLines: dropped };
    })
    .toReversed()
    .map((attempt) => keeping(attempt, allowance))
    .toReversed();
}

function keeping({ lines = [], droppedLines = 0, ...attempt }: Attempt, allowance: LineAllowance): Attempt {
  const kept = allowance.take(lines);
  const dropped = droppedLines + lines.length - kept.length;
  return {
    ...attempt,
    ...(kept.length === 0 ? {} : { lines: kept }),
    ...(dropped === 0 ? {} : { droppedLines: dropped }),
  };
}

import type { TrialResult } from './trial.js';

/** The kind of a problem with the file of a test as a whole. */
export const NOT_LOADED = 'NotLoaded';

/** The code broke down, which a mistake of this kind may do without any test that looks for it. */
const BREAKDOWNS = [NOT_LOADED, 'SyntaxError', 'ReferenceError', 'TypeError', 'RangeError'];

/** Why the tests as they are prove nothing; `undefined` when they are there and pass. */
export function cleanProblem({ passed, problems }: TrialResult): string | undefined {
  const [first] = problems;
  if (first !== undefined) return `fails without a mutant: ${first.kind}: ${first.says}`;
  return passed === 0 ? 'there is no such test' : undefined;
}

/** Why a mutant does not count as caught; `undefined` when the test saw what is wrong. */
export function survival({ problems }: TrialResult): string | undefined {
  const [first] = problems;
  if (first === undefined) return 'survived';
  if (/timed out|worker .*(exited|error)/i.test(first.says)) return `was not caught but hung: ${first.says}`;
  return BREAKDOWNS.includes(first.kind) ? `was not caught but broke down: ${first.kind}: ${first.says}` : undefined;
}

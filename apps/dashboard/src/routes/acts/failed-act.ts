import { ApiProblem } from '../../api/problem.js';
import { actText } from './act-text.js';

interface FailedAct {
  readonly title: string;
  /** How to find out what has become of it; absent where nothing was done. */
  readonly next?: string;
}

/** What can be said of an act that came to nothing, as far as anybody knows. `repeatable`: done again it is still done once. */
export function failedAct(error: unknown, repeatable = false): FailedAct {
  if (!(error instanceof ApiProblem) || !error.undecided) return { title: actText.notApplied };
  return { title: actText.undecided, next: repeatable ? actText.tryAgain : actText.lookFirst };
}

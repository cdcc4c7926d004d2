import { type FailItem, InvalidArgumentError } from '@holdfast/contract';
import { LIMITS } from '../limits.js';
import type { JobFacts } from './worker-events.js';

/**
 * Says how many milliseconds to wait after this attempt failed with what was thrown: 0 or more, fractions are rounded up. Called once a
 * failure, at once; what it throws or a wait that is none is told as an error, and the job waits as its backoff says otherwise.
 */
export type BackoffFunction = (attempt: number, error: unknown, job: JobFacts) => number;

/** Functions by the names that jobs give: `backoff: { kind: 'named', name }`. */
export type Backoffs = Readonly<Record<string, BackoffFunction>>;

/**
 * What follows a failed attempt whose job names a function for that.
 * @throws InvalidArgumentError, and what the function throws
 */
export function namedWait(job: JobFacts, error: unknown, backoffs: Backoffs): FailItem['then'] & object {
  const name = String(job.backoffName);
  const wait = Object.hasOwn(backoffs, name) ? backoffs[name] : undefined;
  if (wait === undefined) {
    const known = Object.keys(backoffs);
    const allowed = known.length === 0 ? 'a name in the option `backoffs` of the worker' : `one of ${known.join(', ')}`;
    throw new InvalidArgumentError(`backoff of job ${job.id}`, name, allowed);
  }
  const retryInMs = wait(job.attempt, error, job);
  if (typeof retryInMs === 'number' && retryInMs >= 0 && retryInMs <= LIMITS.delayMsMax) return { retryInMs };
  throw new InvalidArgumentError(`backoffs.${name}`, retryInMs, `a wait of 0 to ${LIMITS.delayMsMax} milliseconds`);
}

import type { Random } from '../clock.js';
import type { Backoff } from '../job.js';

/** Beyond this power every base has passed every maximum. */
const EXPONENT_MAX = 53;

/** Whole milliseconds to wait after attempt number `attempt` failed. */
export function backoffMs(backoff: Backoff, attempt: number, random: Random): number {
  const growth = backoff.kind === 'exponential' ? 2 ** Math.min(attempt - 1, EXPONENT_MAX) : 1;
  const delayMs = Math.min(backoff.maxMs, backoff.baseMs * growth);
  return backoff.jitter === 'full' ? Math.round(random.fraction() * delayMs) : delayMs;
}

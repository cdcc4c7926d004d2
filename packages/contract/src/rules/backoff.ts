import type { Random } from '../clock.js';
import type { Backoff } from '../job.js';

/** Beyond this power every base has passed every maximum. */
const EXPONENT_MAX = 53;

/** Long after this many steps a walk has forgotten where it began. */
const STEPS_MAX = 1000;

/** Whole milliseconds to wait after attempt number `attempt` failed. */
export function backoffMs(backoff: Backoff, attempt: number, random: Random): number {
  if (backoff.jitter === 'decorrelated') return decorrelatedMs(backoff, attempt, random);
  const growth = backoff.kind !== 'fixed' ? 2 ** Math.min(attempt - 1, EXPONENT_MAX) : 1;
  const delayMs = Math.min(backoff.maxMs, backoff.baseMs * growth);
  return backoff.jitter === 'full' ? Math.round(random.fraction() * delayMs) : delayMs;
}

/** Nothing is kept of former walks: each wait is the end of a new one, and spread as widely as if they went on. */
function decorrelatedMs({ baseMs, maxMs }: Backoff, attempt: number, random: Random): number {
  let delayMs = baseMs;
  for (let step = 0; step < Math.min(attempt, STEPS_MAX); step++) {
    delayMs = Math.min(maxMs, baseMs + random.fraction() * (3 * delayMs - baseMs));
  }
  return Math.round(delayMs);
}

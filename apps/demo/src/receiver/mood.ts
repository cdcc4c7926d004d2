import { type SeededRandom } from '../seeded-random.js';

/** How the receiver answers one call. */
export type Answer = 'ok' | 'error' | 'hang' | 'gone';

export const ANSWERS: readonly Answer[] = ['ok', 'error', 'hang', 'gone'];

/** `mended`: always well. `moody`: as chance has it. Any other word: always so. */
export type Mood = 'mended' | 'moody' | Exclude<Answer, 'ok'>;

/** In a moody hour: so many of a hundred calls fail in this way. */
const ERRORS_PERCENT = 25;
const HANGS_PERCENT = 8;
const GONE_PERCENT = 4;

export function nextAnswer(mood: Mood, random: SeededRandom): Answer {
  if (mood === 'mended') return 'ok';
  if (mood !== 'moody') return mood;
  const percent = random.fraction() * 100;
  if (percent < ERRORS_PERCENT) return 'error';
  if (percent < ERRORS_PERCENT + HANGS_PERCENT) return 'hang';
  if (percent < ERRORS_PERCENT + HANGS_PERCENT + GONE_PERCENT) return 'gone';
  return 'ok';
}

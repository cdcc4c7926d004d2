import { settled, type VirtualClock } from '../virtual-clock.js';

/** How time passes for a store under test. */
export interface TestTime {
  /** Two moments that are nearer to each other than this may be seen in either order. */
  readonly graceMs: number;
  /** Lets so much time pass, and what comes due in it happen. */
  advance(ms: number): Promise<void>;
  /** Lets calls that were made reach the store. */
  settle(): Promise<void>;
}

export function virtualTime(clock: VirtualClock): TestTime {
  return { graceMs: 1, advance: (ms) => clock.advance(ms), settle: settled };
}

const REAL_GRACE_MS = 250;
const REAL_SETTLE_MS = 50;

export const realTime: TestTime = {
  graceMs: REAL_GRACE_MS,
  advance: pause,
  settle: () => pause(REAL_SETTLE_MS),
};

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

import { setTimeout as pause } from 'node:timers/promises';
import type { Child } from './child-process.js';

/** Waits until the latest that a child said of its store's health is this. @returns false if that was not within `ms`, or it ended */
export async function waitForHealth(child: Child, status: 'open' | 'failed', ms: number): Promise<boolean> {
  const isNow = () => child.lines.findLast((line) => line.startsWith('health ')) === `health ${status}`;
  for (let waitedMs = 0; waitedMs < ms && !isNow() && !child.isGone; waitedMs += 10) await pause(10);
  return isNow();
}

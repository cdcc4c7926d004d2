import { setTimeout as delay } from 'node:timers/promises';
import type { App, Dashboards } from './dashboard-figures.js';
import type { Answer, Order } from './measured-app.js';
import type { OfferedFigures } from './offered-load.js';

/** Connections are made and ended before anything is measured. */
const SETTLE_MS = 500;
/** In which each dashboard asks once for its lists, and the server looks four times at its counters. */
const WINDOW_MS = 4000;
/**
 * So few that what the jobs themselves take differs little from window to window: at 20,000 it differs by more than dashboards take, which
 * depends on the clock and not on the jobs.
 */
export const OFFERED_PER_SECOND = 2000;

/** One window: a fixed load, then as much as 64 callers can enqueue, all in the same process and beside the same store. */
interface Window {
  readonly offered: OfferedFigures;
  readonly jobsPerSecond: number;
}

/** Of two windows without dashboards and two with ten, in turns, so that what changes steadily meanwhile falls out. */
export interface CostBlock {
  readonly alone: readonly Window[];
  readonly beside: readonly Window[];
  /** Milliseconds of a processor that the browsers' stand-ins took in their own process, for each second with dashboards. */
  readonly clientsMsPerSecond: number;
}

/** Before anything counts: the application's code is compiled, and its caches are filled. */
export async function warmUp(app: App, dashboards: Dashboards): Promise<void> {
  await dashboards.told('open');
  await window(app);
  await dashboards.told('close');
  await window(app);
}

/** ABBA, and BAAB in each other block. */
export async function costBlock(app: App, dashboards: Dashboards, number: number): Promise<CostBlock> {
  const alone: Window[] = [];
  const beside: Window[] = [];
  const order = number % 2 === 0 ? [false, true, true, false] : [true, false, false, true];
  let clientsMs = 0;
  let besideMs = 0;
  for (const isBeside of order) {
    const before = await dashboards.told(isBeside ? 'open' : 'close');
    await delay(SETTLE_MS);
    const startMs = performance.now();
    (isBeside ? beside : alone).push(await window(app));
    const after = await dashboards.told(isBeside ? 'open' : 'close');
    if (!isBeside) continue;
    clientsMs += after.processorMs - before.processorMs;
    besideMs += performance.now() - startMs;
  }
  await dashboards.told('close');
  return { alone, beside, clientsMsPerSecond: (clientsMs * 1000) / besideMs };
}

async function window(app: App): Promise<Window> {
  const answer = await app.told({ kind: 'offer', jobsPerSecond: OFFERED_PER_SECOND, forMs: WINDOW_MS } satisfies Order);
  const most = await app.told({ kind: 'enqueue', forMs: WINDOW_MS } satisfies Order);
  return { offered: of(answer, 'offered'), jobsPerSecond: of(most, 'value') };
}

function of<Key extends string>(answer: Answer, key: Key): Extract<Answer, Record<Key, unknown>>[Key] {
  if (key in answer) return (answer as Extract<Answer, Record<Key, unknown>>)[key];
  throw new Error('The application answered something else.');
}

/** Percent of one processor that ten dashboards took of the application, beside the same jobs. @param time of which of its threads */
export function takenPercent({ alone, beside }: CostBlock, time: 'processorUs' | 'threadUs'): number {
  const percent = ({ offered }: Window) => (offered[time] ?? Number.NaN) / offered.tookMs / 10;
  return mean(beside.map(percent)) - mean(alone.map(percent));
}

/** Percent by which fewer jobs were enqueued. */
export function lostPercent({ alone, beside }: CostBlock): number {
  const jobs = (windows: readonly Window[]) => mean(windows.map(({ jobsPerSecond }) => jobsPerSecond));
  return 100 * (1 - jobs(beside) / jobs(alone));
}

/** Of one side of a block. */
export function meanOf(windows: readonly Window[], of: (window: Window) => number): number {
  return mean(windows.map(of));
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

import type { JobTable } from './job-table.js';
import type { Lane, QueueLanes } from './lane.js';

/** Which jobs are meant: all that match everything. Without a queue, those of Holdfast's own queues are left out. */
export interface ScanFilter {
  readonly state: number | undefined;
  readonly queue: string | undefined;
  readonly name: string | undefined;
  /** What else the table itself can tell. */
  readonly test?: ((slot: number) => boolean) | undefined;
  /** What only the disk can tell: asked last. */
  readonly readingTest?: ((slot: number) => boolean) | undefined;
}

/** What one scan may cost: it stops with the first that is used up, and the next one goes on there. */
export interface ScanBudget {
  /** Places of the table that are looked at. */
  readonly slots: number;
  /** Jobs of the right state, queue and name that are looked at. */
  readonly jobs: number;
  /** Whether no more is to be read from the disk. */
  readonly isReadEnough?: (() => boolean) | undefined;
}

export interface ScanPage {
  /** Newest first. */
  readonly slots: number[];
  /** Where the next page begins (ids below it), or 0 if nothing is left. */
  readonly nextBelowId: number;
  /** Jobs of the right state, queue and name that were looked at. */
  readonly scanned: number;
}

/** Slots looked at for one page: a rare kind of job among very many others gives short pages instead of a long wait. */
const SCANNED_MAX = 50_000;

/** The jobs that match, newest first, with ids below `belowId`. */
export function scanJobs(
  table: JobTable,
  filter: ScanFilter,
  belowId: number,
  limit: number,
  budget: ScanBudget = { slots: SCANNED_MAX, jobs: SCANNED_MAX },
): ScanPage {
  const { columns } = table;
  const slots: number[] = [];
  let nextBelowId = 0;
  let looked = 0;
  let scanned = 0;
  table.ids.walkDown(belowId, filter.state, (slot) => {
    if (looked === budget.slots || scanned === budget.jobs || budget.isReadEnough?.()) {
      nextBelowId = columns.id[slot]! + 1;
      return false;
    }
    looked++;
    if (!matchesFilter(table, filter, slot)) return true;
    const matches = (filter.test?.(slot) ?? true) && (filter.readingTest?.(slot) ?? true);
    if (matches && slots.length === limit) {
      nextBelowId = columns.id[slots[limit - 1]!]!;
      return false;
    }
    scanned++;
    if (matches) slots.push(slot);
    return true;
  });
  return { slots, nextBelowId, scanned };
}

/** Whether state, queue and name of one job match. */
export function matchesFilter(table: JobTable, filter: ScanFilter, slot: number): boolean {
  return (
    (filter.state === undefined || table.columns.state[slot] === filter.state) &&
    laneMatches(table.shapeOf(slot).lane, filter)
  );
}

/** How many jobs match by state, queue and name: exact, from the counters. */
export function countJobs(table: JobTable, filter: ScanFilter): number {
  const { queue: name } = filter;
  if (name !== undefined) return countIn(table.shapes.queue(name), filter);
  let sum = 0;
  for (const queue of table.shapes.queues()) if (!queue.isInternal) sum += countIn(queue, filter);
  return sum;
}

/** The same of one queue. */
export function countIn(queue: QueueLanes | undefined, { name, state }: ScanFilter): number {
  const counts = name === undefined ? queue?.stateCounts : queue?.lane(name)?.counts;
  if (counts === undefined) return 0;
  return state === undefined ? counts.reduce((sum, count) => sum + count, 0) : counts[state]!;
}

function laneMatches(lane: Lane, filter: ScanFilter): boolean {
  return (
    (filter.queue === undefined ? !lane.queue.isInternal : lane.queue.name === filter.queue) &&
    (filter.name === undefined || lane.name === filter.name)
  );
}

import type { JobTable } from './job-table.js';
import type { Lane, QueueLanes } from './lane.js';

/** What a list shows. */
export interface ScanFilter {
  readonly state: number | undefined;
  readonly queue: string | undefined;
  readonly name: string | undefined;
}

export interface ScanPage {
  /** Newest first. */
  readonly slots: number[];
  /** Where the next page begins (ids below it), or 0 if nothing is left. */
  readonly nextBelowId: number;
}

/** Slots looked at for one page: a rare kind of job among very many others gives short pages instead of a long wait. */
const SCANNED_MAX = 50_000;

/** The jobs that match, newest first, with ids below `belowId`. */
export function scanJobs(table: JobTable, filter: ScanFilter, belowId: number, limit: number): ScanPage {
  const { columns } = table;
  const slots: number[] = [];
  let nextBelowId = 0;
  let scanned = 0;
  table.ids.walkDown(belowId, filter.state, (slot) => {
    const matches = matchesFilter(table, filter, slot);
    if (matches && slots.length === limit) {
      nextBelowId = columns.id[slots[limit - 1]!]!;
      return false;
    }
    if (matches) slots.push(slot);
    if (++scanned < SCANNED_MAX) return true;
    nextBelowId = columns.id[slot]!;
    return false;
  });
  return { slots, nextBelowId };
}

/** Whether one job matches. */
export function matchesFilter(table: JobTable, filter: ScanFilter, slot: number): boolean {
  return (
    (filter.state === undefined || table.columns.state[slot] === filter.state) &&
    ((filter.queue === undefined && filter.name === undefined) || laneMatches(table.shapeOf(slot).lane, filter))
  );
}

/** How many jobs match: exact, from the counters. */
export function countJobs(table: JobTable, filter: ScanFilter): number {
  const { queue: name } = filter;
  if (name !== undefined) return countIn(table.shapes.queue(name), filter);
  let sum = 0;
  for (const queue of table.shapes.queues()) sum += countIn(queue, filter);
  return sum;
}

function countIn(queue: QueueLanes | undefined, { name, state }: ScanFilter): number {
  const counts = name === undefined ? queue?.stateCounts : queue?.lane(name)?.counts;
  if (counts === undefined) return 0;
  return state === undefined ? counts.reduce((sum, count) => sum + count, 0) : counts[state]!;
}

function laneMatches(lane: Lane, filter: ScanFilter): boolean {
  return (
    (filter.queue === undefined || lane.queue.name === filter.queue) &&
    (filter.name === undefined || lane.name === filter.name)
  );
}

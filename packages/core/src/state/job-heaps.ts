import { IndexedHeap } from './indexed-heap.js';
import type { JobColumns } from './job-columns.js';

/** Ready jobs of one lane: by priority number, then by the time they could first have started, then by id. */
export class ReadyHeap extends IndexedHeap {
  readonly #columns: JobColumns;

  constructor(columns: JobColumns) {
    super();
    this.#columns = columns;
  }

  protected override before(first: number, second: number): boolean {
    return ranksBefore(this.#columns, first, second);
  }

  protected override place(slot: number, position: number): void {
    this.#columns.position[slot] = position;
  }
}

/** Scheduled jobs of all queues: by the time they become due, then by id. */
export class ScheduleHeap extends IndexedHeap {
  readonly #columns: JobColumns;

  constructor(columns: JobColumns) {
    super();
    this.#columns = columns;
  }

  protected override before(first: number, second: number): boolean {
    const { runAtMs, id } = this.#columns;
    const one = runAtMs[first]!;
    const other = runAtMs[second]!;
    return one === other ? id[first]! < id[second]! : one < other;
  }

  protected override place(slot: number, position: number): void {
    this.#columns.position[slot] = position;
  }
}

/** The order in which ready jobs are claimed. */
export function ranksBefore(columns: JobColumns, first: number, second: number): boolean {
  const priority = columns.priority[first]!;
  const otherPriority = columns.priority[second]!;
  if (priority !== otherPriority) return priority < otherPriority;
  const rankAt = columns.rankAtMs[first]!;
  const otherRankAt = columns.rankAtMs[second]!;
  if (rankAt !== otherRankAt) return rankAt < otherRankAt;
  return columns.id[first]! < columns.id[second]!;
}

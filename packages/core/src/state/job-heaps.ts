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

/** Scheduled jobs by the time they become due, then by id. */
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

/** Jobs of all queues that are cancelled unless they are started in time: by that time, then by id. */
export class ExpiryHeap extends IndexedHeap {
  readonly #columns: JobColumns;

  constructor(columns: JobColumns) {
    super();
    this.#columns = columns;
  }

  /** Notes the expiry of a job that nobody sees yet; it counts from `enter` on. */
  note(slot: number, expiresAtMs: number): void {
    this.#columns.setExpiry(slot, expiresAtMs);
  }

  /** Takes back what was noted of a job that nobody sees yet. */
  takeBack(slot: number): void {
    this.#columns.clearExpiry(slot);
  }

  /** Does nothing for a job without an expiry. */
  enter(slot: number): void {
    if (this.has(slot)) this.push(slot);
  }

  /** Does nothing for a job without an expiry. */
  drop(slot: number): void {
    if (!this.has(slot)) return;
    this.removeAt(this.#columns.expiryPosition(slot));
    this.#columns.clearExpiry(slot);
  }

  has(slot: number): boolean {
    return this.#columns.expiresAtMs(slot) > 0;
  }

  isOver(slot: number, nowMs: number): boolean {
    const atMs = this.#columns.expiresAtMs(slot);
    return atMs > 0 && atMs <= nowMs;
  }

  /** Jobs whose time is over, in order; some of them where there are more than `limit`. */
  firstDue(nowMs: number, limit: number): number[] {
    const due: number[] = [];
    this.visitDown((slot) => {
      if (due.length === limit || !this.isOver(slot, nowMs)) return false;
      due.push(slot);
      return true;
    });
    return due.sort((first, second) => (this.before(first, second) ? -1 : 1));
  }

  /** Wall-clock time of the next expiry; Infinity without one. */
  get nextMs(): number {
    return this.size === 0 ? Number.POSITIVE_INFINITY : this.#columns.expiresAtMs(this.top);
  }

  protected override before(first: number, second: number): boolean {
    const { id } = this.#columns;
    const one = this.#columns.expiresAtMs(first);
    const other = this.#columns.expiresAtMs(second);
    return one === other ? id[first]! < id[second]! : one < other;
  }

  protected override place(slot: number, position: number): void {
    this.#columns.placeExpiry(slot, position);
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

import type { JobColumns } from './job-columns.js';
import { ReadyHeap, ranksBefore } from './job-heaps.js';
import { SlotFifo } from './slot-fifo.js';

/** In a job's `position`: it stands in the line, at the place that the other bits say. */
const IN_LINE = 2 ** 31;

/**
 * The ready jobs of one lane, in the order in which they are claimed. Most come in that order: they stand in a line, where coming and going
 * costs the same however many there are. A job that ranks before the last one of the line stands in a heap, and so does one for which the
 * line has no place: the first job may wait for very long, while very many behind it are cancelled.
 */
export class ReadyJobs {
  readonly #columns: JobColumns;
  readonly #line: SlotFifo;
  readonly #heap: ReadyHeap;
  #lastPriority = 0;
  #top = 0;

  constructor(columns: JobColumns, line = new SlotFifo()) {
    this.#columns = columns;
    this.#line = line;
    this.#heap = new ReadyHeap(columns);
  }

  get size(): number {
    return this.#line.size + this.#heap.size;
  }

  /** The first job. Only with `size > 0`. */
  get top(): number {
    return this.#top;
  }

  /** No job here has a greater priority number. There may have been one that had it. */
  get lastPriority(): number {
    return this.#lastPriority;
  }

  push(slot: number): void {
    const priority = this.#columns.priority[slot]!;
    if (this.size === 0 || priority > this.#lastPriority) this.#lastPriority = priority;
    this.#place(slot);
    this.#findTop();
  }

  remove(slot: number): void {
    this.#takeOut(slot);
    this.#findTop();
  }

  /** Puts a job where it belongs after its rank changed. */
  reorder(slot: number): void {
    this.#lastPriority = Math.max(this.#lastPriority, this.#columns.priority[slot]!);
    const position = this.#columns.position[slot]!;
    if (position < IN_LINE) {
      this.#heap.reorder(position);
    } else {
      this.#takeOut(slot);
      this.#place(slot);
    }
    this.#findTop();
  }

  /**
   * Visits jobs from the first ones on: those that rank behind one for which `visit` answers false may be left out, and no others.
   */
  visitDown(visit: (slot: number) => boolean): void {
    this.#line.visit(visit);
    this.#heap.visitDown(visit);
  }

  #place(slot: number): void {
    const line = this.#line;
    if (line.isFull || (line.size > 0 && !ranksBefore(this.#columns, line.last, slot))) this.#heap.push(slot);
    else this.#columns.position[slot] = IN_LINE + line.push(slot);
  }

  #takeOut(slot: number): void {
    const position = this.#columns.position[slot]!;
    if (position < IN_LINE) this.#heap.removeAt(position);
    else this.#line.removeAt(position - IN_LINE);
  }

  #findTop(): void {
    const line = this.#line;
    const heap = this.#heap;
    if (line.size === 0) this.#top = heap.size === 0 ? 0 : heap.top;
    else if (heap.size === 0 || ranksBefore(this.#columns, line.first, heap.top)) this.#top = line.first;
    else this.#top = heap.top;
  }
}

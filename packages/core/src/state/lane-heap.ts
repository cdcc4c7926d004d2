import { IndexedHeap } from './indexed-heap.js';
import type { JobColumns } from './job-columns.js';
import { ranksBefore } from './job-heaps.js';
import type { Lane } from './lane.js';

/** The lanes of one queue that have ready jobs, in the order of their first ones: a claim meets no other lane. */
export class LaneHeap extends IndexedHeap {
  readonly #columns: JobColumns;
  /** By their numbers, which are given anew each time that a lane comes in. */
  readonly #lanes: (Lane | undefined)[] = [];
  readonly #freeNumbers: number[] = [];

  constructor(columns: JobColumns) {
    super();
    this.#columns = columns;
  }

  /** The lane with the job that ranks first; `undefined` when no job is ready. */
  get first(): Lane | undefined {
    return this.size === 0 ? undefined : this.#lanes[this.top];
  }

  /** In no order. */
  *all(): Iterable<Lane> {
    for (let position = 0; position < this.size; position++) yield this.#lanes[this.at(position)]!;
  }

  /** Another job is the first one of the lane, or none is. */
  update(lane: Lane): void {
    const isIn = lane.number >= 0;
    if (lane.ready.size === 0) {
      if (isIn) this.remove(lane);
    } else if (isIn) this.reorder(lane.position);
    else this.#add(lane);
  }

  /** Lets no claim see the lane until `update`. */
  remove(lane: Lane): void {
    this.removeAt(lane.position);
    this.#lanes[lane.number] = undefined;
    this.#freeNumbers.push(lane.number);
    lane.number = -1;
  }

  #add(lane: Lane): void {
    lane.number = this.#freeNumbers.pop() ?? this.#lanes.length;
    this.#lanes[lane.number] = lane;
    this.push(lane.number);
  }

  protected override before(first: number, second: number): boolean {
    return ranksBefore(this.#columns, this.#lanes[first]!.ready.top, this.#lanes[second]!.ready.top);
  }

  protected override place(number: number, position: number): void {
    this.#lanes[number]!.position = position;
  }
}

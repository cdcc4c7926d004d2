import { countJobs, type ScanFilter } from '../state/job-scan.js';
import type { JobTable } from '../state/job-table.js';
import type { Lane } from '../state/lane.js';

/**
 * Ids of all jobs that are in a state when the choice is made, whatever becomes of them before it has looked at them: a walk over the whole
 * table would hold up everybody else, so it goes in pieces, and meanwhile the table tells which jobs leave or enter the state.
 */
export class JobChoice {
  readonly #table: JobTable;
  readonly #state: number;
  readonly #isWanted: (lane: Lane) => boolean;
  /** Filled from both ends: with those that are found in their state, and with those that have left it before. */
  readonly #ids: Float64Array;
  #foundFrom: number;
  #left = 0;
  /** All from this id on were looked at. */
  #belowId: number;
  /** Of jobs below it that have changed their state since. */
  readonly #changed = new Set<number>();
  readonly #stopWatching: () => void;
  #isDone = false;

  constructor(table: JobTable, filter: ScanFilter & { readonly state: number }) {
    this.#table = table;
    this.#state = filter.state;
    this.#isWanted = laneTest(table, filter);
    this.#ids = new Float64Array(countJobs(table, filter));
    this.#foundFrom = this.#ids.length;
    this.#belowId = table.shownBelowId;
    this.#stopWatching = table.ids.watch((id, slot, state) => this.#leaves(id, slot, state));
  }

  /** Once `look` has seen all: the oldest first, but before them those that had left the state when their turn to be looked at came. */
  take(): Float64Array {
    this.#ids.copyWithin(this.#left, this.#foundFrom);
    return this.#ids.subarray(0, this.#left + this.#ids.length - this.#foundFrom);
  }

  /** All were looked at. */
  get isDone(): boolean {
    return this.#isDone;
  }

  /** Looks at so many places of the table at most. @returns at how many */
  look(placesMax: number): number {
    const { columns, ids } = this.#table;
    let looked = 0;
    let nextBelowId = 0;
    ids.walkDown(this.#belowId, this.#state, (slot) => {
      if (this.#left === this.#foundFrom) return false;
      const id = columns.id[slot]!;
      if (looked === placesMax) {
        nextBelowId = id + 1;
        return false;
      }
      looked++;
      if (columns.state[slot] === this.#state && this.#isChosen(id, slot)) this.#ids[--this.#foundFrom] = id;
      return true;
    });
    this.#belowId = nextBelowId;
    if (nextBelowId === 0) this.#end();
    return looked;
  }

  #end(): void {
    this.#isDone = true;
    this.#stopWatching();
  }

  #isChosen(id: number, slot: number): boolean {
    return !this.#changed.has(id) && this.#isWanted(this.#table.shapeOf(slot).lane);
  }

  /** Its first change says where a job was when the choice was made. */
  #leaves(id: number, slot: number, state: number): void {
    if (id >= this.#belowId || this.#changed.has(id)) return;
    this.#changed.add(id);
    const wasChosen = state === this.#state && this.#isWanted(this.#table.shapeOf(slot).lane);
    if (wasChosen && this.#left < this.#foundFrom) this.#ids[this.#left++] = id;
  }
}

/** Names are compared once, not for each job. */
function laneTest({ shapes }: JobTable, { queue: queueName, name }: ScanFilter): (lane: Lane) => boolean {
  if (queueName === undefined) return (lane) => !lane.queue.isInternal && (name === undefined || lane.name === name);
  const queue = shapes.queue(queueName);
  return (lane) => lane.queue === queue && (name === undefined || lane.name === name);
}

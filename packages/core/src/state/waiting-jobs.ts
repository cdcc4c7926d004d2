import { type JobColumns, NONE } from './job-columns.js';
import { STATE } from './job-state.js';
import type { Lane, QueueLanes } from './lane.js';
import { ScheduleWheel } from './schedule-wheel.js';

/** Where the jobs stand that wait: ready ones in their lanes, scheduled ones in the wheel. */
export class WaitingJobs {
  readonly scheduled: ScheduleWheel;
  readonly #columns: JobColumns;
  /** Queues that got a ready job since `takeGained`. */
  #gained: QueueLanes[] = [];
  /** They stand nowhere, until `order`. */
  #unordered = false;

  constructor(columns: JobColumns) {
    this.#columns = columns;
    this.scheduled = new ScheduleWheel(columns);
  }

  /**
   * For a replay: most jobs of a log come to their end in it, so where they stood meanwhile is of no use. Nothing may ask for the first one
   * before `order`.
   */
  leaveUnordered(): void {
    this.#unordered = true;
  }

  /** @param laneOf of a job by its slot */
  order(laneOf: (slot: number) => Lane): void {
    const { slotsEnd } = this.#columns;
    this.#unordered = false;
    for (let slot = 0; slot < slotsEnd; slot++) {
      const state = this.#columns.state[slot]!;
      if (state === STATE.ready || state === STATE.scheduled) this.#place(slot, state, laneOf(slot));
    }
  }

  /** Does nothing for a job that does not wait. */
  enter(slot: number, state: number, lane: Lane): void {
    if (state !== STATE.ready && state !== STATE.scheduled) return;
    if (state === STATE.scheduled && this.#columns.attemptsOf(slot) > 0) lane.countRetrying(1);
    if (this.#unordered) this.#columns.position[slot] = NONE;
    else this.#place(slot, state, lane);
  }

  /** Does nothing for a job that does not wait. */
  leave(slot: number, state: number, lane: Lane): void {
    const position = this.#columns.position[slot]!;
    if (state === STATE.ready && position !== NONE) lane.removeReady(slot);
    if (state !== STATE.scheduled) return;
    if (position !== NONE) this.scheduled.remove(slot);
    if (this.#columns.attemptsOf(slot) > 0) lane.countRetrying(-1);
  }

  /** The rank of a ready job has changed. */
  reorder(slot: number, lane: Lane): void {
    const position = this.#columns.position[slot]!;
    if (position !== NONE) lane.reorderReady(slot);
  }

  /** Waiting claims of the queue are looked at again. */
  wake(queue: QueueLanes): void {
    if (queue.gained) return;
    queue.gained = true;
    this.#gained.push(queue);
  }

  takeGained(): readonly QueueLanes[] {
    const gained = this.#gained;
    if (gained.length > 0) {
      this.#gained = [];
      for (const queue of gained) queue.gained = false;
    }
    return gained;
  }

  get hasGained(): boolean {
    return this.#gained.length > 0;
  }

  #place(slot: number, state: number, lane: Lane): void {
    if (state === STATE.scheduled) {
      this.scheduled.push(slot);
      return;
    }
    lane.addReady(slot);
    this.wake(lane.queue);
  }
}

import type { JobState, QueueRetention } from '@holdfast/contract';
import { isInternalQueue } from '@holdfast/contract/rules';
import type { Forgotten, ForgottenDead, RecordPlace } from './forgotten-record.js';
import type { JobColumns } from './job-columns.js';
import { STATE, STATE_STRIDE } from './job-state.js';
import { KeptRing } from './kept-ring.js';
import { LaneHeap } from './lane-heap.js';
import type { Pause } from './pause-records.js';
import { ReadyJobs } from './ready-jobs.js';
import { ThroughputRings } from './throughput.js';

/**
 * The jobs of one name in one queue: those that are ready, in order, and how many there are in each state. It goes with the last
 * shape of its name.
 */
export class Lane {
  readonly queue: QueueLanes;
  readonly name: string;
  readonly ready: ReadyJobs;
  /** By state number. */
  readonly counts: number[] = new Array(STATE_STRIDE).fill(0);
  /** Of the scheduled ones: those with attempts. */
  retrying = 0;
  /** Shapes with this name. */
  shapes = 0;
  /** Where the lane stands among those of its queue with ready jobs: for LaneHeap alone. */
  number = -1;
  position = -1;

  constructor(queue: QueueLanes, name: string, columns: JobColumns) {
    this.queue = queue;
    this.name = name;
    this.ready = new ReadyJobs(columns);
  }

  count(state: number, by: number): void {
    this.counts[state]! += by;
    this.queue.stateCounts[state]! += by;
  }

  countRetrying(by: number): void {
    this.retrying += by;
    this.queue.retrying += by;
  }

  /** The lane itself where claims may take from it: a choice of one. */
  get first(): Lane | undefined {
    return this.number < 0 ? undefined : this;
  }

  addReady(slot: number): void {
    this.ready.push(slot);
    if (this.ready.top === slot) this.queue.readyLanes.update(this);
  }

  removeReady(slot: number): void {
    const wasFirst = this.ready.top === slot;
    this.ready.remove(slot);
    if (wasFirst) this.queue.readyLanes.update(this);
  }

  /** The rank of a ready job has changed. */
  reorderReady(slot: number): void {
    this.ready.reorder(slot);
    this.queue.readyLanes.update(this);
  }
}

/**
 * A queue that has held a job or was paused. It stays, for it is listed; without jobs it is little more than its name. Its lanes
 * stay as long as there are jobs of their names.
 */
export class QueueLanes {
  readonly name: string;
  /** One of Holdfast's own. */
  readonly isInternal: boolean;
  readonly readyLanes: LaneHeap;
  readonly throughput = new ThroughputRings();
  readonly completed: KeptRing;
  readonly cancelled: KeptRing;
  readonly dead: KeptRing;
  /** How many jobs there are in each state, by its number. */
  readonly stateCounts: number[] = new Array(STATE_STRIDE).fill(0);
  /** Of the scheduled ones: those with attempts. */
  retrying = 0;
  /** While it is there, no job of the queue is claimed. */
  pause: Pause | undefined;
  /** What its last FORGOTTEN and FORGOTTEN_DEAD say, and where they are. */
  saidForgotten: (Forgotten & RecordPlace) | undefined;
  saidForgottenDead: (ForgottenDead & RecordPlace) | undefined;
  /** Got a ready job since waiting claims were last looked at. */
  gained = false;
  readonly #columns: JobColumns;
  readonly #byName = new Map<string, Lane>();

  constructor(name: string, columns: JobColumns, { completed, cancelled, dead }: QueueRetention) {
    this.name = name;
    this.isInternal = isInternalQueue(name);
    this.#columns = columns;
    this.readyLanes = new LaneHeap(columns);
    this.completed = new KeptRing(name, STATE.completed, completed, completed.count);
    this.cancelled = new KeptRing(name, STATE.cancelled, cancelled, cancelled.count);
    // A dead job may come back, so what is forgotten must not depend on the options that a replay is made with.
    this.dead = new KeptRing(name, STATE.dead, dead, Number.POSITIVE_INFINITY);
  }

  /** Where jobs in this state are remembered. */
  ringOf(state: number): KeptRing | undefined {
    if (state === STATE.completed) return this.completed;
    if (state === STATE.cancelled) return this.cancelled;
    return state === STATE.dead ? this.dead : undefined;
  }

  /** Its lanes at present. */
  lanesNow(): Iterable<Lane> {
    return this.#byName.values();
  }

  get lanes(): number {
    return this.#byName.size;
  }

  lane(name: string): Lane | undefined {
    return this.#byName.get(name);
  }

  laneFor(name: string): Lane {
    let lane = this.#byName.get(name);
    if (lane === undefined) {
      lane = new Lane(this, name, this.#columns);
      this.#byName.set(name, lane);
    }
    return lane;
  }

  /** There is no job in the lane. */
  dropLane(lane: Lane): void {
    this.#byName.delete(lane.name);
  }

  counts(): Record<JobState, number> {
    const { stateCounts } = this;
    return {
      scheduled: stateCounts[STATE.scheduled]!,
      ready: stateCounts[STATE.ready]!,
      leased: stateCounts[STATE.leased]!,
      completed: stateCounts[STATE.completed]!,
      dead: stateCounts[STATE.dead]!,
      cancelled: stateCounts[STATE.cancelled]!,
    };
  }
}

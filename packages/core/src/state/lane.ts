import type { JobState, QueueRetention } from '@holdfast/contract';
import type { JobColumns } from './job-columns.js';
import { ReadyHeap } from './job-heaps.js';
import { STATE, STATE_STRIDE } from './job-state.js';
import { KeptRing } from './kept-ring.js';
import type { Pause } from './pause-records.js';
import { ThroughputRings } from './throughput.js';

/** The jobs of one name in one queue: those that are ready, in order, and how many there are in each state. */
export class Lane {
  readonly queue: QueueLanes;
  readonly name: string;
  readonly ready: ReadyHeap;
  /** By state number. */
  readonly counts = new Int32Array(STATE_STRIDE);
  /** Of the scheduled ones: those with attempts. */
  retrying = 0;

  constructor(queue: QueueLanes, name: string, columns: JobColumns) {
    this.queue = queue;
    this.name = name;
    this.ready = new ReadyHeap(columns);
  }
}

/** A queue that has held a job or was paused: its lanes, in the order in which their names were first seen. */
export class QueueLanes {
  readonly name: string;
  readonly lanes: Lane[] = [];
  readonly throughput = new ThroughputRings();
  readonly completed: KeptRing;
  readonly cancelled: KeptRing;
  readonly dead: KeptRing;
  /** While it is there, no job of the queue is claimed. */
  pause: Pause | undefined;
  /** Got a ready job since waiting claims were last looked at. */
  gained = false;
  readonly #columns: JobColumns;
  readonly #byName = new Map<string, Lane>();

  constructor(name: string, columns: JobColumns, { completed, cancelled, dead }: QueueRetention) {
    this.name = name;
    this.#columns = columns;
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

  lane(name: string): Lane | undefined {
    return this.#byName.get(name);
  }

  laneFor(name: string): Lane {
    let lane = this.#byName.get(name);
    if (lane === undefined) {
      lane = new Lane(this, name, this.#columns);
      this.#byName.set(name, lane);
      this.lanes.push(lane);
    }
    return lane;
  }

  counts(): Record<JobState, number> {
    const sum = new Int32Array(STATE_STRIDE);
    for (const lane of this.lanes) {
      for (let state = 0; state < sum.length; state++) sum[state]! += lane.counts[state]!;
    }
    return {
      scheduled: sum[STATE.scheduled]!,
      ready: sum[STATE.ready]!,
      leased: sum[STATE.leased]!,
      completed: sum[STATE.completed]!,
      dead: sum[STATE.dead]!,
      cancelled: sum[STATE.cancelled]!,
    };
  }

  get retrying(): number {
    let sum = 0;
    for (const lane of this.lanes) sum += lane.retrying;
    return sum;
  }
}

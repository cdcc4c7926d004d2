import type { QueueLanes } from './lane.js';
import type { Pause } from './pause-records.js';
import { RECORD } from './record-kinds.js';
import type { SegmentBytes } from './segment-bytes.js';
import type { ShapeTable } from './shape-table.js';

/**
 * What holds beside the jobs and must outlive the segment of the record that says it. Before such a segment goes, its record is
 * written again as it is (same kind, same body) and `movedTo` is told where and how long it is now.
 */
export interface StandingFact {
  readonly kind: number;
  readonly location: number;
  readonly recordBytes: number;
  movedTo(location: number, recordBytes: number): void;
}

/** Which queues are paused. `pause` and `resume` are called with what was written, live and on replay. */
export class PauseTable {
  readonly #shapes: ShapeTable;
  readonly #facts: SegmentBytes;
  readonly #paused = new Set<QueueLanes>();
  /** Ended by themselves, which no record says: a replay finds them again, and so they stand as long as their records do. */
  readonly #lapsed = new Map<QueueLanes, Pause>();
  /** Asked for several times in each turn, and very many queues may be paused. It may be too early, never too late: see `endDue`. */
  #nextEndMs = Number.POSITIVE_INFINITY;

  /** @param facts counts the records of pauses where they lie */
  constructor(shapes: ShapeTable, facts: SegmentBytes) {
    this.#shapes = shapes;
    this.#facts = facts;
  }

  /** Applies PAUSE. */
  pause(name: string, pause: Pause): void {
    const queue = this.#shapes.queueFor(name);
    this.#dropFact(queue.pause ?? this.#lapsed.get(queue));
    this.#facts.add(pause.location, pause.recordBytes);
    queue.pause = pause;
    this.#paused.add(queue);
    this.#lapsed.delete(queue);
    this.#nextEndMs = Math.min(this.#nextEndMs, endOf(pause));
  }

  /** Applies RESUME. @returns the queue, if it was paused */
  resume(name: string): QueueLanes | undefined {
    const queue = this.#shapes.queue(name);
    if (queue?.pause === undefined) return undefined;
    this.#dropFact(queue.pause);
    this.#end(queue);
    return queue;
  }

  /** Wall-clock time at which `endDue` has to be asked; Infinity without a pause that ends by itself. */
  get nextEndMs(): number {
    return this.#nextEndMs;
  }

  /** Ends the pauses whose time has come. @returns their queues */
  endDue(nowMs: number): readonly QueueLanes[] {
    if (nowMs < this.#nextEndMs) return NO_QUEUES;
    const ended: QueueLanes[] = [];
    this.#nextEndMs = Number.POSITIVE_INFINITY;
    for (const queue of this.#paused) {
      const endMs = endOf(queue.pause);
      if (endMs <= nowMs) ended.push(queue);
      else this.#nextEndMs = Math.min(this.#nextEndMs, endMs);
    }
    for (const queue of ended) {
      this.#lapsed.set(queue, queue.pause!);
      this.#end(queue);
    }
    return ended;
  }

  *facts(): Iterable<StandingFact> {
    for (const queue of this.#paused) {
      const { pause } = queue;
      if (pause === undefined) continue;
      const { location, recordBytes } = pause;
      const movedTo = (to: number, bytes: number) => {
        queue.pause = this.#moved(pause, to, bytes);
      };
      yield { kind: RECORD.pause, location, recordBytes, movedTo };
    }
    for (const [queue, pause] of this.#lapsed) {
      const { location, recordBytes } = pause;
      const movedTo = (to: number, bytes: number) => {
        this.#lapsed.set(queue, this.#moved(pause, to, bytes));
      };
      yield { kind: RECORD.pause, location, recordBytes, movedTo };
    }
  }

  #moved(pause: Pause, location: number, recordBytes: number): Pause {
    this.#dropFact(pause);
    this.#facts.add(location, recordBytes);
    return { ...pause, location, recordBytes };
  }

  #dropFact(pause: Pause | undefined): void {
    if (pause !== undefined) this.#facts.remove(pause.location, pause.recordBytes);
  }

  #end(queue: QueueLanes): void {
    queue.pause = undefined;
    this.#paused.delete(queue);
  }
}

const NO_QUEUES: readonly QueueLanes[] = [];

/** Wall-clock time at which it ends by itself. */
function endOf(pause: Pause | undefined): number {
  return pause === undefined || pause.untilMs === 0 ? Number.POSITIVE_INFINITY : pause.untilMs;
}

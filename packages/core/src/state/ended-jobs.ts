import type { Forgotten, ForgottenDead, RecordPlace } from './forgotten-record.js';
import type { JobColumns } from './job-columns.js';
import { NONE } from './job-columns.js';
import type { KeptRing } from './kept-ring.js';
import type { QueueLanes } from './lane.js';
import { RetentionHeap } from './retention-heap.js';
import type { SegmentBytes } from './segment-bytes.js';

/** Jobs that came to an end, each in the ring of its queue and state, and when some of them have to be forgotten. */
export class EndedJobs {
  readonly dues = new RetentionHeap();
  readonly #columns: JobColumns;
  readonly #facts: SegmentBytes;
  readonly #forget: (slot: number) => number;
  readonly #place = (slot: number, position: number): void => {
    this.#columns.position[slot] = position;
  };

  /** @param facts counts where is said what is forgotten @param forget takes the job out of the table, and answers its id */
  constructor(columns: JobColumns, facts: SegmentBytes, forget: (slot: number) => number) {
    this.#columns = columns;
    this.#facts = facts;
    this.#forget = forget;
  }

  /** Remembers a job that came to its end. @returns the id of the one that had to be forgotten for it, or 0 */
  keep(ring: KeptRing, slot: number, token: number, order: number, resultBytes: number): number {
    const overflow = ring.keeps ? ring.takeOverflow() : slot;
    if (overflow !== slot) {
      const { payloadBytes, updatedAtMs } = this.#columns;
      ring.push(slot, token, order, payloadBytes.at(slot) + resultBytes, this.#place);
      this.dues.watch(ring, ring.nextDueMs(updatedAtMs[slot]!));
    }
    if (overflow === NONE) return 0;
    this.#watchOldest(ring);
    return this.#forget(overflow);
  }

  /** A job goes before its time, or comes back. */
  leave(ring: KeptRing | undefined, position: number): void {
    if (ring === undefined) return;
    ring.removeAt(position);
    this.#watchOldest(ring);
  }

  /** The job that held the others up is gone: where the clock was set back, the next one ended earlier, and goes earlier. */
  #watchOldest(ring: KeptRing): void {
    const oldest = ring.oldest;
    const untilMs = oldest === NONE ? undefined : ring.keptUntilMs(this.#columns.updatedAtMs[oldest]!);
    if (untilMs !== undefined) this.dues.watch(ring, untilMs);
  }

  forgotten(
    queue: QueueLanes,
    { completedBelow, cancelledBelow }: Forgotten,
    { location, recordBytes }: RecordPlace,
  ): void {
    const fact = { completedBelow, cancelledBelow, location, recordBytes };
    queue.saidForgotten = this.#said(fact, queue.saidForgotten);
    this.#forgetBelow(queue.completed, completedBelow);
    this.#forgetBelow(queue.cancelled, cancelledBelow);
  }

  forgottenDead(queue: QueueLanes, { deadBelow }: ForgottenDead, { location, recordBytes }: RecordPlace): void {
    queue.saidForgottenDead = this.#said({ deadBelow, location, recordBytes }, queue.saidForgottenDead);
    this.#forgetBelow(queue.dead, deadBelow);
  }

  /** A record says a fact anew, so that the one before is not needed any more. */
  #said<Fact extends RecordPlace>(fact: Fact, before: RecordPlace | undefined): Fact {
    if (before !== undefined) this.#facts.remove(before.location, before.recordBytes);
    this.#facts.add(fact.location, fact.recordBytes);
    return fact;
  }

  #forgetBelow(ring: KeptRing, order: number): void {
    for (let slot = ring.takeBelow(order); slot !== NONE; slot = ring.takeBelow(order)) this.#forget(slot);
  }
}

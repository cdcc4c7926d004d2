import { invariant } from '../invariant.js';
import type { EnqueueFields } from './enqueue-record.js';
import { grownBytes, grownCapacity, grownDoubles, grownWords } from './grown-columns.js';
import { STATE } from './job-state.js';
import type { MoveFields } from './move-record.js';
import { SizeColumn } from './size-column.js';

/** No slot, no position. */
export const NONE = 0xffff_ffff;

const FIRST_CAPACITY = 1024;

/**
 * One row a job, one typed array a field: 77 bytes a job, nothing for the garbage collector to walk. A row's number is its slot;
 * slots are reused, ids never. Arrays may be replaced when they grow, so nobody keeps one across a call.
 *
 * A job that nobody has started may have an expiry. It has no attempts then, and has changed last when it was enqueued or became
 * ready, so two columns hold other things as long as the expiry stands.
 */
export class JobColumns {
  id = new Float64Array(FIRST_CAPACITY);
  state = new Uint8Array(FIRST_CAPACITY).fill(STATE.free);
  /** Index in ShapeTable: queue, name and policy. */
  shape = new Uint32Array(FIRST_CAPACITY);
  priority = new Uint32Array(FIRST_CAPACITY);
  /** With an expiry: where the job stands in the heap of expiries. */
  #attempts = new Uint32Array(FIRST_CAPACITY);
  enqueuedAtMs = new Float64Array(FIRST_CAPACITY);
  runAtMs = new Float64Array(FIRST_CAPACITY);
  /** The second part of a ready job's rank: never changed by a retry or a release. */
  rankAtMs = new Float64Array(FIRST_CAPACITY);
  /** With an expiry: that time, below zero. `updatedAtMsOf` answers for all jobs, the column for those that were started or are over. */
  updatedAtMs = new Float64Array(FIRST_CAPACITY);
  /** Where the ENQUEUE record is, and how long. */
  enqueueLocation = new Float64Array(FIRST_CAPACITY);
  readonly enqueueBytes = new SizeColumn(FIRST_CAPACITY);
  readonly payloadBytes = new SizeColumn(FIRST_CAPACITY);
  /** Location of the last history record; 0 before the first. */
  history = new Float64Array(FIRST_CAPACITY);
  /**
   * Where the job stands in the structure of its state: see ReadyJobs (ready), place in the wheel (scheduled), lease
   * slot (leased), place in the queue's ring (completed), next free slot (free).
   */
  position = new Uint32Array(FIRST_CAPACITY);

  #capacity = FIRST_CAPACITY;
  #used = 0;
  #firstFree = NONE;
  #live = 0;

  /** Rows in use. */
  get live(): number {
    return this.#live;
  }

  /** Every slot in use is below this. */
  get slotsEnd(): number {
    return this.#used;
  }

  /** Rows that fit without growth. */
  get capacity(): number {
    return this.#capacity;
  }

  /** What the columns hold when all their rows are in use. */
  get reservedBytes(): number {
    const columns = [
      ...[this.id, this.state, this.shape, this.priority, this.#attempts, this.enqueuedAtMs, this.runAtMs],
      ...[this.rankAtMs, this.updatedAtMs, this.enqueueLocation, this.history, this.position],
      ...[this.enqueueBytes, this.payloadBytes],
    ];
    return columns.reduce((sum, { byteLength }) => sum + byteLength, 0);
  }

  attemptsOf(slot: number): number {
    return this.updatedAtMs[slot]! < 0 ? 0 : this.#attempts[slot]!;
  }

  /** Of a job without an expiry. */
  setAttempts(slot: number, attempts: number): void {
    this.#attempts[slot] = attempts;
  }

  updatedAtMsOf(slot: number): number {
    const atMs = this.updatedAtMs[slot]!;
    if (atMs >= 0) return atMs;
    return this.state[slot] === STATE.ready ? this.runAtMs[slot]! : this.enqueuedAtMs[slot]!;
  }

  /** Of a job with an expiry it follows from its state. */
  setUpdatedAtMs(slot: number, atMs: number): void {
    if (this.updatedAtMs[slot]! >= 0) this.updatedAtMs[slot] = atMs;
  }

  /** When a job that was not started is cancelled, wall-clock; 0: never. */
  expiresAtMs(slot: number): number {
    return Math.max(0, -this.updatedAtMs[slot]!);
  }

  setExpiry(slot: number, expiresAtMs: number): void {
    this.updatedAtMs[slot] = -expiresAtMs;
  }

  /** Does nothing for a job without an expiry. */
  clearExpiry(slot: number): void {
    if (this.updatedAtMs[slot]! >= 0) return;
    this.updatedAtMs[slot] = this.updatedAtMsOf(slot);
    this.#attempts[slot] = 0;
  }

  /** Of a job with an expiry. */
  expiryPosition(slot: number): number {
    return this.#attempts[slot]!;
  }

  placeExpiry(slot: number, position: number): void {
    this.#attempts[slot] = position;
  }

  allocate(): number {
    this.#live++;
    if (this.#firstFree !== NONE) {
      const slot = this.#firstFree;
      this.#firstFree = this.position[slot]!;
      return slot;
    }
    if (this.#used === this.#capacity) this.#grow();
    return this.#used++;
  }

  /** A new row, of a job that nobody may see yet. Its rank is missing. */
  fill(slot: number, fields: EnqueueFields, shape: number, location: number, recordBytes: number): void {
    this.id[slot] = fields.id;
    this.state[slot] = STATE.hidden;
    this.shape[slot] = shape;
    this.priority[slot] = fields.priority;
    this.#attempts[slot] = 0;
    this.enqueuedAtMs[slot] = fields.enqueuedAtMs;
    this.runAtMs[slot] = fields.runAtMs;
    this.updatedAtMs[slot] = fields.enqueuedAtMs;
    this.enqueueLocation[slot] = location;
    this.enqueueBytes.set(slot, recordBytes);
    this.payloadBytes.set(slot, fields.payloadBytes);
    this.history[slot] = 0;
  }

  /** What had changed since the job was enqueued, as its MOVE says. */
  restore(slot: number, moved: MoveFields, location: number): void {
    this.state[slot] = moved.state;
    this.priority[slot] = moved.priority;
    if (moved.attempts > 0) this.clearExpiry(slot);
    if (moved.attempts > 0) this.#attempts[slot] = moved.attempts;
    this.runAtMs[slot] = moved.runAtMs;
    this.rankAtMs[slot] = moved.rankAtMs;
    this.setUpdatedAtMs(slot, moved.updatedAtMs);
    this.history[slot] = location;
  }

  free(slot: number): void {
    invariant(this.state[slot] !== STATE.free, 'a slot is freed once');
    this.#live--;
    this.state[slot] = STATE.free;
    this.enqueueBytes.set(slot, 0);
    this.payloadBytes.set(slot, 0);
    this.position[slot] = this.#firstFree;
    this.#firstFree = slot;
  }

  #grow(): void {
    const before = this.#capacity;
    const capacity = grownCapacity(before);
    invariant(capacity < NONE, 'slots fit into 32 bits');
    this.#capacity = capacity;
    this.state = grownBytes(this.state, capacity).fill(STATE.free, before);
    this.id = grownDoubles(this.id, capacity);
    this.shape = grownWords(this.shape, capacity);
    this.priority = grownWords(this.priority, capacity);
    this.#attempts = grownWords(this.#attempts, capacity);
    this.enqueuedAtMs = grownDoubles(this.enqueuedAtMs, capacity);
    this.runAtMs = grownDoubles(this.runAtMs, capacity);
    this.rankAtMs = grownDoubles(this.rankAtMs, capacity);
    this.updatedAtMs = grownDoubles(this.updatedAtMs, capacity);
    this.enqueueLocation = grownDoubles(this.enqueueLocation, capacity);
    this.enqueueBytes.grow(capacity);
    this.payloadBytes.grow(capacity);
    this.history = grownDoubles(this.history, capacity);
    this.position = grownWords(this.position, capacity);
  }
}

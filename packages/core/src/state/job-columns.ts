import { invariant } from '../invariant.js';
import type { EnqueueFields } from './enqueue-record.js';
import { STATE } from './job-state.js';
import type { MoveFields } from './move-record.js';

/** No slot, no position. */
export const NONE = 0xffff_ffff;

const FIRST_CAPACITY = 1024;

/**
 * One row a job, one typed array a field: 81 bytes a job (93 once a job had an expiry), nothing for the garbage collector to walk. A row's number is its slot;
 * slots are reused, ids never. The arrays are replaced when they grow, so nobody keeps one across a call.
 */
export class JobColumns {
  id = new Float64Array(FIRST_CAPACITY);
  state = new Uint8Array(FIRST_CAPACITY).fill(STATE.free);
  /** Index in ShapeTable: queue, name and policy. */
  shape = new Uint32Array(FIRST_CAPACITY);
  priority = new Uint32Array(FIRST_CAPACITY);
  attempts = new Uint32Array(FIRST_CAPACITY);
  enqueuedAtMs = new Float64Array(FIRST_CAPACITY);
  runAtMs = new Float64Array(FIRST_CAPACITY);
  /** The second part of a ready job's rank: never changed by a retry or a release. */
  rankAtMs = new Float64Array(FIRST_CAPACITY);
  updatedAtMs = new Float64Array(FIRST_CAPACITY);
  /** Where the ENQUEUE record is, and how long. */
  enqueueLocation = new Float64Array(FIRST_CAPACITY);
  enqueueBytes = new Uint32Array(FIRST_CAPACITY);
  payloadBytes = new Uint32Array(FIRST_CAPACITY);
  /** Location of the last history record; 0 before the first. */
  history = new Float64Array(FIRST_CAPACITY);
  /**
   * Where the job stands in the structure of its state: heap position (ready, scheduled), lease slot (leased), place in the
   * queue's ring (completed), next free slot (free).
   */
  position = new Uint32Array(FIRST_CAPACITY);
  /** When a job that was not started is cancelled, wall-clock; 0: never. Both columns are empty until the first job has an expiry. */
  expiresAtMs = new Float64Array(0);
  /** Where such a job stands in the heap of expiries. */
  expiryPosition = new Uint32Array(0);

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

  get bytes(): number {
    return this.#capacity * 81 + this.expiresAtMs.length * 12;
  }

  /** From now on there is a place for the expiry of each job. */
  needExpiries(): void {
    if (this.expiresAtMs.length > 0) return;
    this.expiresAtMs = new Float64Array(this.#capacity);
    this.expiryPosition = new Uint32Array(this.#capacity);
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
    this.attempts[slot] = 0;
    this.enqueuedAtMs[slot] = fields.enqueuedAtMs;
    this.runAtMs[slot] = fields.runAtMs;
    this.updatedAtMs[slot] = fields.enqueuedAtMs;
    this.enqueueLocation[slot] = location;
    this.enqueueBytes[slot] = recordBytes;
    this.payloadBytes[slot] = fields.payloadBytes;
    this.history[slot] = 0;
  }

  /** What had changed since the job was enqueued, as its MOVE says. */
  restore(slot: number, moved: MoveFields, location: number): void {
    this.state[slot] = moved.state;
    this.priority[slot] = moved.priority;
    this.attempts[slot] = moved.attempts;
    this.runAtMs[slot] = moved.runAtMs;
    this.rankAtMs[slot] = moved.rankAtMs;
    this.updatedAtMs[slot] = moved.updatedAtMs;
    this.history[slot] = location;
  }

  free(slot: number): void {
    invariant(this.state[slot] !== STATE.free, 'a slot is freed once');
    this.#live--;
    this.state[slot] = STATE.free;
    this.position[slot] = this.#firstFree;
    this.#firstFree = slot;
  }

  #grow(): void {
    const capacity = this.#capacity * 2;
    invariant(capacity < NONE, 'slots fit into 32 bits');
    this.#capacity = capacity;
    this.state = grownBytes(this.state, capacity);
    this.id = grownDoubles(this.id, capacity);
    this.shape = grownWords(this.shape, capacity);
    this.priority = grownWords(this.priority, capacity);
    this.attempts = grownWords(this.attempts, capacity);
    this.enqueuedAtMs = grownDoubles(this.enqueuedAtMs, capacity);
    this.runAtMs = grownDoubles(this.runAtMs, capacity);
    this.rankAtMs = grownDoubles(this.rankAtMs, capacity);
    this.updatedAtMs = grownDoubles(this.updatedAtMs, capacity);
    this.enqueueLocation = grownDoubles(this.enqueueLocation, capacity);
    this.enqueueBytes = grownWords(this.enqueueBytes, capacity);
    this.payloadBytes = grownWords(this.payloadBytes, capacity);
    this.history = grownDoubles(this.history, capacity);
    this.position = grownWords(this.position, capacity);
    if (this.expiresAtMs.length === 0) return;
    this.expiresAtMs = grownDoubles(this.expiresAtMs, capacity);
    this.expiryPosition = grownWords(this.expiryPosition, capacity);
  }
}

function grownBytes(old: Uint8Array, capacity: number): Uint8Array<ArrayBuffer> {
  const grown = new Uint8Array(capacity).fill(STATE.free, old.length);
  grown.set(old);
  return grown;
}

export function grownWords(old: Uint32Array, capacity: number): Uint32Array<ArrayBuffer> {
  const grown = new Uint32Array(capacity);
  grown.set(old);
  return grown;
}

export function grownDoubles(old: Float64Array, capacity: number): Float64Array<ArrayBuffer> {
  const grown = new Float64Array(capacity);
  grown.set(old);
  return grown;
}

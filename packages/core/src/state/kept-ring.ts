import type { RetentionBounds } from '@holdfast/contract';
import { keptUntilMs } from '@holdfast/contract/rules';
import { grownDoubles, grownWords } from './grown-columns.js';
import { NONE } from './job-columns.js';

const FIRST_CAPACITY = 16;
/** Of all rings that never held anything: there are many. */
const NO_SLOTS = new Uint32Array(0);
const NO_NUMBERS = new Float64Array(0);

/**
 * The last jobs of a queue that came to an end in one state, and of each the token of the ack that completed it or the cell of DeadGroups in
 * which a dead one is counted (0: none). `order` is the place
 * of a job's end in the order of the ends.
 *
 * The number of completed and cancelled ones is kept to with each new one: which are forgotten follows from the records alone, so a
 * replay with the same bound keeps the same. All else (their age, their bytes, and any bound of dead jobs, which may come back) is
 * forgotten by a record of its own, `belowDue` says up to where.
 */
export class KeptRing {
  readonly queue: string;
  readonly state: number;
  /** When `belowDue` has to be asked, as RetentionHeap knows it, and where the ring stands there. */
  dueMs = Number.POSITIVE_INFINITY;
  duePosition = NONE;
  number = NONE;
  readonly #bounds: RetentionBounds;
  /** As many as can be pushed without another one being taken out. */
  readonly #kept: number;
  #slots = NO_SLOTS;
  #tokens = NO_NUMBERS;
  #orders = NO_NUMBERS;
  /** Payload and result of each; empty where bytes have no bound. */
  #sizes: Float64Array<ArrayBuffer>;
  #bytes = 0;
  /** Every job that had to make room has a lower order. */
  #forgottenBelow = 0;
  /** The ring is in use from here on, for `#span` places; some of them are holes. */
  #oldest = 0;
  #span = 0;
  #size = 0;

  /** @param kept how many are remembered, without a record that says it */
  constructor(queue: string, state: number, bounds: RetentionBounds, kept: number) {
    this.queue = queue;
    this.state = state;
    this.#bounds = bounds;
    this.#kept = kept;
    this.#sizes = new Float64Array(bounds.bytes === null ? 0 : FIRST_CAPACITY);
  }

  get size(): number {
    return this.#size;
  }

  /** Of all that are remembered the one that ended first, or NONE. */
  get oldest(): number {
    if (this.#size === 0) return NONE;
    this.#dropHoles();
    return this.#slots[this.#oldest]!;
  }

  /** Must be asked before `push`: the slot that has to be forgotten to make room, or NONE. It has left the ring then. */
  takeOverflow(): number {
    if (this.#size < this.#kept || this.#size === 0) return NONE;
    this.#dropHoles();
    this.#forgottenBelow = Math.max(this.#forgottenBelow, this.#orders[this.#oldest]! + 1);
    return this.#takeOldest();
  }

  get forgottenBelow(): number {
    return this.#forgottenBelow;
  }

  /** What a log says that it had forgotten. Takes out the next job that is older, or answers NONE: ask until it does. */
  takeBelow(order: number): number {
    this.#forgottenBelow = Math.max(this.#forgottenBelow, order);
    if (this.#size === 0) return NONE;
    this.#dropHoles();
    return this.#orders[this.#oldest]! < order ? this.#takeOldest() : NONE;
  }

  /** Whether a job of this order has been forgotten, or would be at once. */
  isPast(order: number): boolean {
    if (!this.keeps || order < this.#forgottenBelow) return true;
    if (this.#size < this.#kept) return false;
    this.#dropHoles();
    return order < this.#orders[this.#oldest]!;
  }

  /** Whether a job is remembered at all. */
  get keeps(): boolean {
    return this.#kept > 0;
  }

  /**
   * The latest end is the usual case; a replay meets earlier ones too, where the segment that holds the end is gone. `place` is told
   * where the job stands, and where others stand that had to move.
   */
  push(
    slot: number,
    token: number,
    order: number,
    bytes: number,
    place: (slot: number, position: number) => void,
  ): void {
    if (this.#span === this.#slots.length) this.#makeRoom(place);
    let rank = this.#span++;
    while (rank > 0 && this.#orders[this.#at(rank - 1)]! > order) {
      const to = this.#at(rank--);
      const from = this.#at(rank);
      this.#put(to, this.#slots[from]!, this.#tokens[from]!, this.#orders[from]!, this.#sizes[from]!);
      if (this.#slots[to] !== NONE) place(this.#slots[to]!, to);
    }
    this.#put(this.#at(rank), slot, token, order, bytes);
    this.#size++;
    if (this.#sizes.length > 0) this.#bytes += bytes;
    place(slot, this.#at(rank));
  }

  /** Takes out one that is forgotten before its time. */
  removeAt(position: number): void {
    this.#slots[position] = NONE;
    this.#size--;
    if (this.#sizes.length > 0) this.#bytes -= this.#sizes[position]!;
  }

  /** The wall-clock time until which a job that ended then is kept for its age; `undefined` where that has no bound. */
  keptUntilMs(endedAtMs: number): number | undefined {
    const { ageMs } = this.#bounds;
    return ageMs === null ? undefined : keptUntilMs(endedAtMs, ageMs);
  }

  /** The first time at which a job that was pushed just now, having ended then, can lead to one that has to go. */
  nextDueMs(endedAtMs: number): number {
    if (this.#exceeds(this.#size, this.#bytes)) return 0;
    return this.keptUntilMs(endedAtMs) ?? Number.POSITIVE_INFINITY;
  }

  /**
   * Looks at the oldest jobs. @returns the order below which all have to be forgotten now, at most `limit` jobs (0: none), and the
   * time at which to look again: later than now where none has to go. A job that seems to end in the future, because the clock was set
   * back since, is as old as those after it, however many of its kind stand before them.
   */
  belowDue(nowMs: number, limit: number, endedAtMs: Float64Array): { readonly below: number; readonly nextMs: number } {
    let below = 0;
    let belowLimit = 0;
    let seen = 0;
    let bytes = this.#bytes;
    for (let rank = 0; rank < this.#span; rank++) {
      const position = this.#at(rank);
      const slot = this.#slots[position]!;
      if (slot === NONE) continue;
      const untilMs = this.keptUntilMs(endedAtMs[slot]!) ?? Number.POSITIVE_INFINITY;
      const isOver = this.#exceeds(this.#size - seen, bytes);
      const inFuture = endedAtMs[slot]! > nowMs;
      if (!isOver && !inFuture && untilMs > nowMs) return { below, nextMs: this.#lookAgainMs(nowMs, untilMs) };
      const mustGo = isOver || !inFuture;
      if (seen >= limit && (below > 0 || mustGo)) return { below: below > 0 ? below : belowLimit, nextMs: 0 };
      if (seen++ < limit) belowLimit = this.#orders[position]! + 1;
      bytes -= this.#sizes[position] ?? 0;
      if (mustGo) below = belowLimit;
    }
    return {
      below,
      nextMs: seen === 0 ? Number.POSITIVE_INFINITY : this.#lookAgainMs(nowMs, Number.POSITIVE_INFINITY),
    };
  }

  /** Jobs that seem to end in the future may be followed by others. */
  #lookAgainMs(nowMs: number, untilMs: number): number {
    return Math.min(untilMs, this.keptUntilMs(nowMs) ?? untilMs);
  }

  #exceeds(size: number, bytes: number): boolean {
    return size > this.#bounds.count || bytes > (this.#bounds.bytes ?? bytes);
  }

  tokenAt(position: number): number {
    return this.#tokens[position]!;
  }

  orderAt(position: number): number {
    return this.#orders[position]!;
  }

  #at(rank: number): number {
    return (this.#oldest + rank) % this.#slots.length;
  }

  #put(position: number, slot: number, token: number, order: number, bytes: number): void {
    this.#slots[position] = slot;
    this.#tokens[position] = token;
    this.#orders[position] = order;
    if (this.#sizes.length > 0) this.#sizes[position] = bytes;
  }

  /** There must be a job. */
  #dropHoles(): void {
    while (this.#slots[this.#oldest] === NONE) this.#shrink();
  }

  #takeOldest(): number {
    const slot = this.#slots[this.#oldest]!;
    this.#bytes -= this.#sizes[this.#oldest] ?? 0;
    this.#shrink();
    this.#size--;
    return slot;
  }

  #shrink(): void {
    this.#oldest = (this.#oldest + 1) % this.#slots.length;
    this.#span--;
  }

  /** Closes the holes; without enough of them the ring grows. */
  #makeRoom(place: (slot: number, position: number) => void): void {
    const before = this.#slots.length;
    const capacity = Math.max(FIRST_CAPACITY, this.#size > before / 2 ? before * 2 : before);
    const slots = grownWords(new Uint32Array(0), capacity);
    const tokens = grownDoubles(new Float64Array(0), capacity);
    const orders = grownDoubles(new Float64Array(0), capacity);
    const sizes = new Float64Array(this.#sizes.length > 0 ? capacity : 0);
    let position = 0;
    for (let index = 0; index < this.#span; index++) {
      const from = (this.#oldest + index) % before;
      const slot = this.#slots[from]!;
      if (slot === NONE) continue;
      slots[position] = slot;
      tokens[position] = this.#tokens[from]!;
      orders[position] = this.#orders[from]!;
      if (sizes.length > 0) sizes[position] = this.#sizes[from]!;
      place(slot, position++);
    }
    this.#oldest = 0;
    this.#span = position;
    this.#slots = slots;
    this.#tokens = tokens;
    this.#orders = orders;
    this.#sizes = sizes;
  }
}

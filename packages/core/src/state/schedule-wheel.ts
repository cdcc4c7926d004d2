import { BucketCells } from './bucket-cells.js';
import type { JobColumns } from './job-columns.js';
import { ScheduleHeap } from './job-heaps.js';
import { RingBits } from './ring-bits.js';

/** Times are told apart by the heap alone within a tick. */
const TICK_MS = 1024;
/** In the year 2109. Later times lie together in the last bucket. */
const TICK_MAX = 2 ** 32 - 1;
/** Widths of the buckets of each level, as powers of two, in ticks: a second, four minutes, eighteen hours, half a year. */
const SHIFTS = [0, 8, 16, 24] as const;
/** Buckets of a level. Twice as many as fit into one bucket of the next level, which can therefore be taken apart before its time. */
const RING = 512;
/** Added to the cell of a job in a bucket; others are positions in the heap. */
const IN_BUCKET = 2 ** 31;

/**
 * Scheduled jobs of all queues, by the time they become due, then by id. Only those that are due soon stand in a heap. The others lie in
 * buckets, in no order, each level of which is coarser than the one before it; a bucket is taken apart into finer ones, and one of the finest into the
 * heap. So inserting and taking out cost the same however many jobs wait for a later time, and a job is moved four times at most.
 *
 * A bucket is taken apart from half its width before its time on, in steps, so that a great one holds nothing up. Where that was
 * not done in time (the process slept, the clock was set forward) `advance` does the rest at once: what is due is always in the heap.
 *
 * The wheel never turns back. While a clock that was set back says earlier times than it has reached, new jobs go into the heap. That costs time, not order.
 */
export class ScheduleWheel {
  readonly #columns: JobColumns;
  readonly #near: ScheduleHeap;
  readonly #far: FarCells;
  readonly #taken = SHIFTS.map(() => new RingBits(RING));
  /** Jobs of this tick and all before it are in the heap. */
  #reachedTick = 0;
  /** No bucket begins before it; there may be none that begins then, if jobs were taken out. */
  #nextTick = Number.POSITIVE_INFINITY;
  /** The same for the time from which on a bucket can be taken apart; and the level of that bucket. */
  #nextStepMs = Number.POSITIVE_INFINITY;
  #nextStepLevel = 0;

  constructor(columns: JobColumns) {
    this.#columns = columns;
    this.#near = new ScheduleHeap(columns);
    this.#far = new FarCells(columns);
  }

  get size(): number {
    return this.#near.size + this.#far.cellsInUse;
  }

  /** Jobs that are not in order yet. */
  get inBuckets(): number {
    return this.#far.cellsInUse;
  }

  /** The job that became due first, if any is due. Only after `advance` to this time. */
  firstDue(nowMs: number): number | undefined {
    if (this.#near.size === 0) return undefined;
    const slot = this.#near.top;
    return this.#columns.runAtMs[slot]! <= nowMs ? slot : undefined;
  }

  /** Wall-clock time at which `advance` has something to do or a job becomes due, whichever comes first; Infinity without jobs. */
  get nextMs(): number {
    if (this.size === 0) return Number.POSITIVE_INFINITY;
    const dueMs = this.#near.size === 0 ? Number.POSITIVE_INFINITY : this.#columns.runAtMs[this.#near.top]!;
    return Math.min(dueMs, this.#nextStepMs);
  }

  push(slot: number): void {
    if (this.size === 0) this.#startAt(tickOf(this.#columns.enqueuedAtMs[slot]!));
    this.#place(slot);
  }

  remove(slot: number): void {
    const position = this.#columns.position[slot]!;
    if (position < IN_BUCKET) {
      this.#near.removeAt(position);
      return;
    }
    const bucket = this.#far.removeFrom(position - IN_BUCKET);
    if (this.#far.isEmpty(bucket)) this.#taken[levelOf(bucket)]!.clear(bucket % RING);
  }

  /** Brings all that is due into the heap, and takes at most `movesMax` jobs further than they have to be. */
  advance(nowMs: number, movesMax: number): void {
    const tick = tickOf(nowMs);
    while (this.#nextTick <= tick) this.#reach(this.#nextTick);
    this.#reachedTick = Math.max(this.#reachedTick, tick);
    let left = movesMax;
    while (left > 0 && this.#nextStepMs <= nowMs) left -= this.#takeApart(nowMs, left);
  }

  #startAt(tick: number): void {
    this.#reachedTick = tick;
    this.#nextTick = Number.POSITIVE_INFINITY;
    this.#nextStepMs = Number.POSITIVE_INFINITY;
  }

  #place(slot: number): void {
    const tick = tickOf(this.#columns.runAtMs[slot]!);
    const reached = this.#reachedTick;
    if (tick <= reached) {
      this.#near.push(slot);
      return;
    }
    let level = 0;
    while ((tick >>> SHIFTS[level]!) - (reached >>> SHIFTS[level]!) >= RING) level++;
    const place = (tick >>> SHIFTS[level]!) % RING;
    const bucket = level * RING + place;
    if (this.#far.isEmpty(bucket)) {
      this.#taken[level]!.set(place);
      this.#expect(level, tick);
    }
    this.#far.addTo(bucket, slot);
  }

  /** There is a bucket of this level that the tick belongs to. */
  #expect(level: number, tick: number): void {
    const startTick = ((tick >>> SHIFTS[level]!) << SHIFTS[level]!) >>> 0;
    this.#nextTick = Math.min(this.#nextTick, startTick);
    const stepMs = (startTick - 2 ** SHIFTS[level]! / 2) * TICK_MS;
    if (stepMs >= this.#nextStepMs) return;
    this.#nextStepMs = stepMs;
    this.#nextStepLevel = level;
  }

  /** Looks for the next buckets anew. */
  #plan(): void {
    this.#nextTick = Number.POSITIVE_INFINITY;
    this.#nextStepMs = Number.POSITIVE_INFINITY;
    for (let level = 0; level < SHIFTS.length; level++) {
      const number = this.#nextNumber(level);
      if (number !== undefined) this.#expect(level, number * 2 ** SHIFTS[level]!);
    }
  }

  /** Of the next bucket of a level that holds a job: its first tick in widths of the level. */
  #nextNumber(level: number): number | undefined {
    const reached = this.#reachedTick >>> SHIFTS[level]!;
    const steps = this.#taken[level]!.stepsToNext(reached % RING);
    return steps === 0 ? undefined : reached + steps;
  }

  /** The wheel comes to a tick at which buckets may begin. */
  #reach(tick: number): void {
    this.#reachedTick = Math.max(this.#reachedTick, tick);
    for (let level = SHIFTS.length - 1; level >= 0; level--) {
      this.#empty(level, (tick >>> SHIFTS[level]!) % RING, Number.POSITIVE_INFINITY);
    }
    this.#plan();
  }

  /** Moves jobs out of a bucket whose time has not come. @returns how many */
  #takeApart(nowMs: number, movesMax: number): number {
    const level = this.#nextStepLevel;
    const number = this.#nextNumber(level);
    const isMeant = number !== undefined && this.#isStepDue(number, nowMs);
    const moved = isMeant ? this.#empty(level, number % RING, movesMax) : 0;
    if (moved < movesMax || this.#nextNumber(level) !== number) this.#plan();
    return moved;
  }

  #isStepDue(number: number, nowMs: number): boolean {
    return (number - 0.5) * 2 ** SHIFTS[this.#nextStepLevel]! * TICK_MS <= nowMs;
  }

  #empty(level: number, place: number, movesMax: number): number {
    const bucket = level * RING + place;
    let moved = 0;
    for (; moved < movesMax && !this.#far.isEmpty(bucket); moved++) {
      const slot = this.#far.takeFrom(bucket);
      // One of the finest goes into the heap as a whole, though its tick has perhaps not been reached.
      if (level === 0) this.#near.push(slot);
      else this.#place(slot);
    }
    if (this.#far.isEmpty(bucket)) this.#taken[level]!.clear(place);
    return moved;
  }
}

class FarCells extends BucketCells {
  readonly #columns: JobColumns;

  constructor(columns: JobColumns) {
    super(SHIFTS.length * RING);
    this.#columns = columns;
  }

  protected override placeInCell(slot: number, cell: number): void {
    this.#columns.position[slot] = IN_BUCKET + cell;
  }
}

function levelOf(bucket: number): number {
  return Math.floor(bucket / RING);
}

function tickOf(atMs: number): number {
  return Math.min(Math.max(0, Math.floor(atMs / TICK_MS)), TICK_MAX);
}

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { JobColumns } from './job-columns.js';
import { ranksBefore } from './job-heaps.js';
import { ReadyJobs } from './ready-jobs.js';
import { BLOCK_SLOTS, SlotFifo } from './slot-fifo.js';

const JOBS = 300;

const step = fc.record({
  act: fc.constantFrom('come', 'come', 'come', 'comeBack', 'takeFirst', 'takeFirst', 'remove', 'reorder'),
  which: fc.nat(),
  priority: fc.constantFrom(0, 0, 0, 0, 1, 2),
  aheadMs: fc.constantFrom(0, 0, 0, 5, 50),
});

/** All jobs of a lane as a list that is sorted whenever somebody looks. */
class Lane {
  readonly columns = new JobColumns();
  readonly ready: ReadyJobs;
  readonly model: number[] = [];
  readonly gone: number[] = [];
  #lastId = 0;

  constructor(line?: SlotFifo) {
    this.ready = new ReadyJobs(this.columns, line);
  }

  come(priority: number, rankAtMs: number): void {
    const slot = this.columns.allocate();
    this.columns.id[slot] = ++this.#lastId;
    this.columns.rankAtMs[slot] = rankAtMs;
    this.#push(slot, priority);
  }

  /** With its former rank, as after a retry. */
  comeBack(which: number, priority: number): void {
    const slot = this.gone.splice(which % this.gone.length, 1)[0];
    if (slot !== undefined) this.#push(slot, priority);
  }

  leave(slot: number): void {
    this.ready.remove(slot);
    this.model.splice(this.model.indexOf(slot), 1);
    this.gone.push(slot);
  }

  reorder(slot: number, priority: number): void {
    this.columns.priority[slot] = priority;
    this.ready.reorder(slot);
  }

  sorted(): number[] {
    return this.model.sort((one, other) => (ranksBefore(this.columns, one, other) ? -1 : 1));
  }

  visited(wanted: number): number[] {
    const seen: number[] = [];
    this.ready.visitDown((slot) => {
      const isBefore = ranksBefore(this.columns, slot, wanted);
      if (isBefore) seen.push(slot);
      return isBefore;
    });
    return seen.sort((one, other) => (ranksBefore(this.columns, one, other) ? -1 : 1));
  }

  #push(slot: number, priority: number): void {
    this.columns.priority[slot] = priority;
    this.ready.push(slot);
    this.model.push(slot);
  }
}

function act(
  lane: Lane,
  index: number,
  { act: what, which, priority, aheadMs }: typeof step extends fc.Arbitrary<infer Step> ? Step : never,
): void {
  const slot = lane.model[which % Math.max(1, lane.model.length)];
  if (what === 'come') lane.come(priority, 1000 + index - aheadMs);
  else if (what === 'comeBack') lane.comeBack(which, priority);
  else if (slot === undefined) return;
  else if (what === 'takeFirst') lane.leave(lane.ready.top);
  else if (what === 'remove') lane.leave(slot);
  else lane.reorder(slot, priority);
}

describe('ReadyJobs', () => {
  it('is headed by the first of a sorted list, whether jobs come in order or not', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: JOBS, size: 'max' }), (steps) => {
        const lane = new Lane();
        for (const [index, each] of steps.entries()) {
          act(lane, index, each);
          const sorted = lane.sorted();
          expect(lane.ready.size).toBe(sorted.length);
          if (sorted.length === 0) continue;
          expect(lane.ready.top).toBe(sorted[0]);
          expect(sorted.every((slot) => lane.columns.priority[slot]! <= lane.ready.lastPriority)).toBe(true);
          const wanted = Math.floor(sorted.length / 2);
          expect(lane.visited(sorted[wanted]!)).toEqual(sorted.slice(0, wanted));
        }
      }),
      { numRuns: 100 },
    );
  });

  it('gives all jobs in order, of those that came in order and those between them', () => {
    const lane = new Lane();
    for (let job = 0; job < 5000; job++) lane.come(job % 50 === 49 ? 0 : 1, job % 7 === 0 ? 500 : job);
    const sorted = lane.sorted().slice();
    expect(sorted.map(() => take(lane))).toEqual(sorted);
  });

  it('keeps its order where the first job stands so long that the places of the line are used up', () => {
    const lane = new Lane(new SlotFifo(BLOCK_SLOTS));
    for (let job = 0; job < BLOCK_SLOTS; job++) lane.come(0, job);
    for (const slot of lane.sorted().slice(1, -1)) lane.leave(slot);
    for (let job = 0; job < 3; job++) lane.come(0, BLOCK_SLOTS + job);
    lane.leave(lane.sorted()[2]!);
    const sorted = lane.sorted().slice();
    expect(sorted).toHaveLength(4);
    expect(sorted.map(() => take(lane))).toEqual(sorted);
    expect(lane.ready.size).toBe(0);
  });
});

function take(lane: Lane): number {
  const slot = lane.ready.top;
  lane.ready.remove(slot);
  return slot;
}

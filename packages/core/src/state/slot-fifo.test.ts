import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { BLOCK_SLOTS, SlotFifo } from './slot-fifo.js';

const PUSHED_MAX = 2 * BLOCK_SLOTS;

const step = fc.record({
  act: fc.constantFrom('push', 'push', 'takeFirst', 'takeLast', 'takeSome', 'takeMost'),
  count: fc.nat({ max: PUSHED_MAX }),
  from: fc.nat({ max: PUSHED_MAX }),
});

/** What few random lists of steps have: several holes behind the first slot, which then goes. */
const SEVERAL_HOLES = [
  { act: 'push', count: 9, from: 0 },
  { act: 'takeMost', count: 0, from: 7 },
  { act: 'takeFirst', count: 1, from: 0 },
];

/** A list of slots, each with its place. */
class Line {
  readonly fifo: SlotFifo;
  slots: { readonly slot: number; readonly place: number }[] = [];
  #next = 0;

  /** @param places so few that they soon begin anew from 0 */
  constructor(places = 4 * BLOCK_SLOTS) {
    this.fifo = new SlotFifo(places);
  }

  /** As many of them as there are places for. */
  push(count: number): void {
    for (let more = 0; more < count && !this.fifo.isFull; more++) {
      const slot = this.#next++;
      this.slots.push({ slot, place: this.fifo.push(slot) });
    }
  }

  /** Takes out those that stand at these ranks. */
  take(isTaken: (rank: number) => boolean): void {
    const taken = this.slots.filter((_, rank) => isTaken(rank));
    this.slots = this.slots.filter((_, rank) => !isTaken(rank));
    for (const { place } of taken) this.fifo.removeAt(place);
  }

  do({ act, count, from }: { readonly act: string; readonly count: number; readonly from: number }): void {
    const { length } = this.slots;
    if (act === 'push') this.push(count);
    else if (act === 'takeFirst') this.take((rank) => rank < count);
    else if (act === 'takeLast') this.take((rank) => rank >= length - count);
    else if (act === 'takeSome') this.take((rank) => rank >= from && rank % 3 === 0);
    else this.take((rank) => rank > 0 && rank !== from && rank < length - 1);
  }

  inOrder(): number[] {
    const seen: number[] = [];
    this.fifo.visit((slot) => seen.push(slot) > 0);
    return seen;
  }
}

describe('SlotFifo', () => {
  it('is a list from which any slot may be taken out', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 12 }), (steps) => {
        const line = new Line();
        for (const each of steps) {
          line.do(each);
          const slots = line.slots.map(({ slot }) => slot);
          expect(line.fifo.size).toBe(slots.length);
          const seen = line.inOrder();
          expect([seen.length, seen.findIndex((slot, rank) => slot !== slots[rank])]).toEqual([slots.length, -1]);
          if (slots.length > 0) expect([line.fifo.first, line.fifo.last]).toEqual([slots[0], slots.at(-1)]);
        }
      }),
      { numRuns: 100, examples: [[SEVERAL_HOLES]] },
    );
  });

  it('stops a visit where it is told to', () => {
    const line = new Line();
    line.push(5);
    const seen: number[] = [];
    line.fifo.visit((slot) => seen.push(slot) < 3);
    expect(seen).toEqual([0, 1, 2]);
  });

  it('holds no block in which nobody stands', () => {
    const line = new Line(10 * BLOCK_SLOTS);
    line.push(10 * BLOCK_SLOTS);
    line.take((rank) => rank > 0 && rank < 10 * BLOCK_SLOTS - 1);
    expect([line.fifo.blocks, line.inOrder()]).toEqual([2, [0, 10 * BLOCK_SLOTS - 1]]);
    line.take(() => true);
    expect([line.fifo.blocks, line.fifo.size]).toEqual([1, 0]);
  });

  it('is full while the next place would be that of the first slot', () => {
    const line = new Line(2 * BLOCK_SLOTS);
    line.push(3 * BLOCK_SLOTS);
    line.take((rank) => rank > 0 && rank < 2 * BLOCK_SLOTS - 1);
    expect([line.fifo.isFull, line.inOrder()]).toEqual([true, [0, 2 * BLOCK_SLOTS - 1]]);
    line.take((rank) => rank === 0);
    expect(line.fifo.isFull).toBe(false);
    line.push(2 * BLOCK_SLOTS);
    expect([line.fifo.isFull, line.fifo.size]).toEqual([true, BLOCK_SLOTS + 1]);
    expect(line.inOrder()).toEqual(line.slots.map(({ slot }) => slot));
    line.take(() => true);
    expect([line.fifo.isFull, line.fifo.size]).toEqual([false, 0]);
  });

  it('goes on for ever in the same memory, while its head and its end move on', () => {
    const line = new Line();
    line.push(100);
    for (let round = 0; round < 200; round++) {
      line.push(BLOCK_SLOTS);
      line.take((rank) => rank < BLOCK_SLOTS);
    }
    expect([line.fifo.blocks <= 2, line.fifo.size, line.fifo.first]).toEqual([true, 100, 200 * BLOCK_SLOTS]);
  });
});

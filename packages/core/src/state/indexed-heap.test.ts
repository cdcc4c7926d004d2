import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { IndexedHeap } from './indexed-heap.js';
import { JobColumns } from './job-columns.js';
import { ReadyHeap, ScheduleHeap } from './job-heaps.js';

class KeyHeap extends IndexedHeap {
  readonly keys = new Float64Array(256);
  readonly positions = new Int32Array(256).fill(-1);

  protected override before(first: number, second: number): boolean {
    return this.keys[first]! - this.keys[second]! < 0 || (this.keys[first] === this.keys[second] && first < second);
  }

  protected override place(item: number, position: number): void {
    this.positions[item] = position;
  }
}

const step = fc.record({
  act: fc.constantFrom('push', 'push', 'removeTop', 'remove', 'reorder'),
  item: fc.nat({ max: 255 }),
  key: fc.integer({ min: 0, max: 20 }),
});

describe('IndexedHeap', () => {
  it('is always headed by the first of a sorted list, and knows every place', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 300, size: 'max' }), (steps) => {
        const heap = new KeyHeap();
        const model = new Set<number>();
        for (const { act, item, key } of steps) {
          if (act === 'push' && !model.has(item)) {
            heap.keys[item] = key;
            heap.push(item);
            model.add(item);
          } else if (act === 'removeTop' && heap.size > 0) {
            model.delete(heap.top);
            heap.removeAt(0);
          } else if (act === 'remove' && model.delete(item)) {
            heap.removeAt(heap.positions[item]!);
          } else if (act === 'reorder' && model.has(item)) {
            heap.keys[item] = key;
            heap.reorder(heap.positions[item]!);
          }
          const sorted = [...model].sort((one, other) => heap.keys[one]! - heap.keys[other]! || one - other);
          expect(heap.size).toBe(sorted.length);
          if (sorted.length > 0) expect(heap.top).toBe(sorted[0]);
          expect(sorted.filter((member) => heap.at(heap.positions[member]!) !== member)).toEqual([]);
        }
      }),
      { numRuns: 50 },
    );
  });
});

describe('the heaps of jobs', () => {
  const columns = new JobColumns();
  const slots = [
    [1, 5, 100, 900],
    [2, 0, 300, 100],
    [3, 0, 100, 300],
    [4, 0, 100, 200],
    [5, 5, 50, 100],
  ].map(([id, priority, rankAtMs, runAtMs]) => {
    const slot = columns.allocate();
    columns.id[slot] = id!;
    columns.priority[slot] = priority!;
    columns.rankAtMs[slot] = rankAtMs!;
    columns.runAtMs[slot] = runAtMs!;
    return slot;
  });

  it.each([
    ['ready jobs by priority, rank and id', new ReadyHeap(columns), [3, 4, 2, 5, 1]],
    ['scheduled jobs by time and id', new ScheduleHeap(columns), [2, 5, 4, 3, 1]],
  ])('order %s', (_, heap, wanted) => {
    for (const slot of slots) heap.push(slot);
    const order: number[] = [];
    while (heap.size > 0) {
      order.push(columns.id[heap.top]!);
      heap.removeAt(0);
    }
    expect(order).toEqual(wanted);
  });
});

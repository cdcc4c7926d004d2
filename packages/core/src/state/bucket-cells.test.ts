import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { BucketCells } from './bucket-cells.js';

const BUCKETS = 5;
const ITEMS = 1000;

class KnownCells extends BucketCells {
  readonly cellOf = new Uint32Array(ITEMS);

  protected override placeInCell(item: number, cell: number): void {
    this.cellOf[item] = cell;
  }
}

const step = fc.record({
  act: fc.constantFrom('add', 'add', 'add', 'remove', 'take'),
  bucket: fc.nat({ max: BUCKETS - 1 }),
  from: fc.nat({ max: ITEMS - 1 }),
  count: fc.nat({ max: 150 }),
});

describe('BucketCells', () => {
  it('hold what a set for each bucket holds', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60, size: 'max' }), (steps) => {
        const cells = new KnownCells(BUCKETS);
        const bucketOf = new Map<number, number>();
        const inBucket = (bucket: number) => [...bucketOf.values()].filter((one) => one === bucket).length;
        for (const { act, bucket, from, count } of steps) {
          for (let item = from; item < Math.min(from + count, ITEMS); item++) {
            if (act === 'add' && !bucketOf.has(item)) {
              cells.addTo(bucket, item);
              bucketOf.set(item, bucket);
            } else if (act === 'remove' && bucketOf.has(item)) {
              expect(cells.removeFrom(cells.cellOf[item]!)).toBe(bucketOf.get(item));
              bucketOf.delete(item);
            } else if (act === 'take' && !cells.isEmpty(bucket)) {
              const taken = cells.takeFrom(bucket);
              expect(bucketOf.get(taken)).toBe(bucket);
              bucketOf.delete(taken);
            }
          }
          expect(cells.cellsInUse).toBe(bucketOf.size);
          for (let one = 0; one < BUCKETS; one++) expect(cells.isEmpty(one)).toBe(inBucket(one) === 0);
        }
        const found = [...bucketOf.keys()].map((item) => [item, cells.removeFrom(cells.cellOf[item]!)]);
        expect(found).toEqual([...bucketOf]);
      }),
      { numRuns: 30 },
    );
  });
});

import type { Histogram } from '@holdfast/contract';

/** The buckets of docs/stores.md, "Histograms": the rules package of the contract has the same, and a test holds them together. */
const PARTS = 16;

/** The smallest value of a bucket, and that of the next one. */
export function bucketRange(bucket: number): readonly [from: number, below: number] {
  if (bucket < PARTS) return [bucket, bucket + 1];
  const width = 2 ** (Math.floor(bucket / PARTS) - 1);
  const from = (PARTS + (bucket % PARTS)) * width;
  return [from, from + width];
}

/** Exactly the histogram of all intervals together: the only way to a percentile of more than one. */
export function merged(parts: readonly Histogram[]): Histogram {
  const counts = new Map<number, number>();
  for (const { buckets } of parts) {
    for (const [bucket, count] of buckets) counts.set(bucket, (counts.get(bucket) ?? 0) + count);
  }
  return {
    count: parts.reduce((sum, part) => sum + part.count, 0),
    sum: parts.reduce((sum, part) => sum + part.sum, 0),
    max: parts.reduce((most, part) => Math.max(most, part.max), 0),
    buckets: [...counts].toSorted(([one], [other]) => one - other),
  };
}

/** The middle of the bucket in which the percentile (0 to 100) lies; `undefined` without values. */
export function percentile({ count, max, buckets }: Histogram, wanted: number): number | undefined {
  const rank = Math.max(1, Math.ceil((count * wanted) / 100));
  let seen = 0;
  for (const [bucket, inBucket] of buckets) {
    seen += inBucket;
    if (seen < rank) continue;
    const [from, below] = bucketRange(bucket);
    return Math.min(max, (from + below - 1) / 2);
  }
  return undefined;
}

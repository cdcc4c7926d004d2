// Histograms of the mock store, in the buckets of docs/stores.md.
const PARTS = 16;

/** Deterministic for a moment, so that a refresh shows the same past. */
function dice(seed) {
  let state = Math.imul(seed ^ 0x9e3779b9, 2_654_435_761) >>> 0;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

export function histogramPoints(measure, stepMs, fromMs, nowMs) {
  const last = Math.floor(nowMs / stepMs);
  const first = Math.max(Math.ceil(fromMs / stepMs), last - { 1000: 300, 10000: 360, 60000: 1_440 }[stepMs]);
  const points = [];
  for (let step = first; step <= last; step++) {
    // A quiet stretch, as a real store has.
    if (Math.floor((step * stepMs) / 60_000) % 47 < 4) continue;
    points.push(pointOf(measure, step, stepMs));
  }
  return points;
}

function pointOf(measure, step, stepMs) {
  const chance = dice(step * 31 + measure.length);
  const slow = chance() < 0.06;
  const samples = Math.round((40 + 80 * (1 + Math.sin(step / 9))) * Math.min(6, stepMs / 10_000 + 0.5));
  const base = measure === 'commitRecords' ? 9 : measure === 'commitBytes' ? 3_400 : 900;
  const values = Array.from({ length: samples }, () => {
    const tail = chance() < (slow ? 0.2 : 0.03) ? 8 + 30 * chance() : 1;
    return Math.max(1, Math.round(base * (0.55 + 0.9 * chance() ** 2) * tail * (1 + 0.25 * Math.sin(step / 14))));
  });
  const buckets = new Map();
  for (const value of values) buckets.set(bucketOf(value), (buckets.get(bucketOf(value)) ?? 0) + 1);
  return {
    atMs: step * stepMs,
    count: values.length,
    sum: values.reduce((total, value) => total + value, 0),
    max: Math.max(...values),
    buckets: [...buckets].sort(([one], [other]) => one - other),
  };
}

function bucketOf(value) {
  if (value < PARTS) return value;
  const shift = 31 - Math.clz32(value) - 4;
  return (shift + 1) * PARTS + ((value >>> shift) & (PARTS - 1));
}

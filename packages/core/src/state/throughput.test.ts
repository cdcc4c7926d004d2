import { describe, expect, it } from 'vitest';
import { ThroughputRings } from './throughput.js';

const START_MS = 1_700_000_000_000;

describe('ThroughputRings', () => {
  it('counts in steps of ten seconds over ten minutes', () => {
    const rings = new ThroughputRings();
    rings.countEnqueued(START_MS);
    rings.countEnqueued(START_MS + 9999);
    rings.countCompleted(START_MS + 10_000);
    rings.countFailed(START_MS + 35_000);
    const read = rings.read(START_MS + 590_000);
    expect(read).toMatchObject({ fromMs: START_MS, stepMs: 10_000 });
    expect([read.enqueued.slice(0, 3), read.completed.slice(0, 3), read.failed.slice(2, 5)]).toEqual([
      [2, 0, 0],
      [0, 1, 0],
      [0, 1, 0],
    ]);
    expect(read.enqueued).toHaveLength(60);
    expect(rings.read(START_MS + 600_000).enqueued.slice(0, 2)).toEqual([0, 0]);
  });

  it('takes late records into their step, and begins anew after a long pause or a clock that was set far back', () => {
    const rings = new ThroughputRings();
    rings.countEnqueued(START_MS + 50_000);
    rings.countEnqueued(START_MS + 20_000);
    expect(rings.read(START_MS + 50_000).enqueued.slice(-4)).toEqual([1, 0, 0, 1]);
    rings.countEnqueued(START_MS + 5_000_000);
    expect(sum(rings.read(START_MS + 5_000_000).enqueued)).toBe(1);
    rings.countEnqueued(START_MS);
    expect(rings.read(START_MS).enqueued.at(-1)).toBe(1);
    expect(sum(rings.read(START_MS).enqueued)).toBe(1);
  });

  it('shows a window that no earlier look has changed, also after the clock was set back', () => {
    const [looked, fresh] = [new ThroughputRings(), new ThroughputRings()];
    looked.countEnqueued(START_MS - 1);
    looked.read(START_MS);
    fresh.countEnqueued(START_MS - 1);
    expect(looked.read(START_MS - 1)).toEqual(fresh.read(START_MS - 1));
    expect(looked.read(START_MS - 1).fromMs).toBe(START_MS - 600_000);
  });
});

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}

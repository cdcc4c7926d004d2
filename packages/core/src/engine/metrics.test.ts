import type { HistogramName } from '@holdfast/contract';
import { mergedHistogram } from '@holdfast/contract/rules';
import { describe, expect, it } from 'vitest';
import { answered, EngineRig } from '../../test/model/engine-rig.js';
import { Metrics } from './metrics.js';

const START_MS = 1_700_000_000_000;

describe('Metrics', () => {
  it('has a point for each ten seconds in which something happened, and none for the others', () => {
    const metrics = new Metrics();
    for (let ms = 1; ms <= 100; ms++) metrics.synced(START_MS, ms);
    metrics.committed(START_MS, 10, 1000);
    metrics.committed(START_MS + 9999, 30, 3000);
    metrics.synced(START_MS + 40_000, 7);
    const { syncLatency, commits, totals, stepMs } = metrics.read(START_MS + 50_000);
    expect(stepMs).toBe(10_000);
    expect(syncLatency.map(({ atMs, count }) => [atMs - START_MS, count])).toEqual([
      [0, 100],
      [40_000, 1],
    ]);
    expect(syncLatency[0]!.p50Ms).toBeCloseTo(50, 0);
    expect(syncLatency[0]!.p99Ms).toBeCloseTo(99, 0);
    expect(syncLatency[0]!.maxMs).toBeCloseTo(100, 0);
    expect(commits).toEqual([{ atMs: START_MS, commits: 2, records: 40, recordsMax: 30, bytes: 4000 }]);
    expect(totals).toMatchObject({ commits: 2, bytesWritten: 4000 });
  });

  it('shows the step that is under way, without ending it', () => {
    const metrics = new Metrics();
    metrics.synced(START_MS, 2);
    expect(metrics.read(START_MS + 1).syncLatency).toHaveLength(1);
    metrics.synced(START_MS + 2, 2);
    expect(metrics.read(START_MS + 3).syncLatency).toMatchObject([{ count: 2 }]);
  });

  it('keeps an hour, and drops points of the future after the clock was set back', () => {
    const metrics = new Metrics();
    for (let step = 0; step < 400; step++) metrics.synced(START_MS + step * 10_000, 1);
    const { syncLatency } = metrics.read(START_MS + 399 * 10_000);
    expect(syncLatency.length).toBeLessThanOrEqual(361);
    expect(syncLatency[0]!.atMs).toBeGreaterThanOrEqual(START_MS + 38 * 10_000);
    metrics.synced(START_MS, 1);
    expect(metrics.read(START_MS).syncLatency.map(({ atMs }) => atMs)).toEqual([START_MS]);
  });

  it('remembers the longest stall', () => {
    const metrics = new Metrics();
    for (const lateMs of [1, 30, 4]) metrics.stalled(lateMs);
    expect(metrics.read(START_MS).engineStallMsMax).toBe(30);
  });
});

describe('the histograms of an engine', () => {
  it('say how long jobs waited and ran, and claims and enqueues waited', () => {
    const rig = new EngineRig();
    const read = (name: HistogramName) => rig.engine.histograms({ name, stepMs: 60_000 }).points;
    const waiting = rig.startClaim({ queues: ['mail'], waitMs: 60_000 });
    rig.settle();
    rig.advance(250);
    rig.enqueue({}, {});
    rig.settle();
    expect(answered(waiting.answer)).toHaveLength(2);
    rig.enqueue({});
    rig.advance(40);
    const [late] = rig.claim();
    rig.advance(3000);
    rig.ack(late!);
    expect(mergedHistogram(read('claim'))).toMatchObject({ count: 2, max: 250_000 });
    expect(mergedHistogram(read('queue'))).toMatchObject({ count: 3, sum: 40_000, max: 40_000 });
    expect(mergedHistogram(read('run'))).toMatchObject({ count: 1, max: 3_000_000 });
    expect(mergedHistogram(read('append')).count).toBe(2);
    expect(read('sync')).not.toEqual([]);
    const { commits, bytesWritten } = rig.engine.metrics().totals;
    expect(mergedHistogram(read('commitBytes'))).toMatchObject({ count: commits, sum: bytesWritten });
    expect(mergedHistogram(read('commitRecords')).count).toBe(commits);
  });

  it('are joined by counts of expired leases, by queue and worker', () => {
    const rig = new EngineRig();
    rig.enqueue({}, {}, {});
    rig.claim({ limit: 2, leaseMs: 100, worker: 'one' });
    rig.claim({ leaseMs: 100, worker: 'two' });
    rig.advance(200);
    expect(rig.engine.metrics().leaseExpiriesBy).toEqual([
      { queue: 'mail', worker: 'one', count: 2 },
      { queue: 'mail', worker: 'two', count: 1 },
    ]);
  });
});

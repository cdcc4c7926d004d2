import { createHistogram, type RecordableHistogram } from 'node:perf_hooks';
import type { CommitPoint, LatencyPoint, StoreMetrics } from '@holdfast/contract';

const STEP_MS = 10_000;
/** An hour. */
const STEPS_KEPT = 360;
/** Latencies are recorded in whole nanoseconds. */
const NS_PER_MS = 1e6;

interface OpenCommits {
  commits: number;
  records: number;
  recordsMax: number;
  bytes: number;
}

/** Counts since the open. */
export interface Totals {
  enqueued: number;
  claimed: number;
  completed: number;
  failed: number;
  dead: number;
  leaseExpiries: number;
  commits: number;
  bytesWritten: number;
}

/**
 * Figures of the last hour in steps of ten seconds, and totals. A step is closed when something happens in a later one or when
 * somebody asks, so an idle engine does nothing for it.
 */
export class Metrics {
  readonly totals: Totals = {
    enqueued: 0,
    claimed: 0,
    completed: 0,
    failed: 0,
    dead: 0,
    leaseExpiries: 0,
    commits: 0,
    bytesWritten: 0,
  };
  #stallMsMax = 0;
  readonly #latency: RecordableHistogram = createHistogram();
  #latencyCount = 0;
  #commits: OpenCommits = { commits: 0, records: 0, recordsMax: 0, bytes: 0 };
  #step = 0;
  readonly #latencyPoints: LatencyPoint[] = [];
  readonly #commitPoints: CommitPoint[] = [];

  committed(nowMs: number, records: number, bytes: number): void {
    this.#roll(nowMs);
    const open = this.#commits;
    open.commits++;
    open.records += records;
    open.recordsMax = Math.max(open.recordsMax, records);
    open.bytes += bytes;
    this.totals.commits++;
    this.totals.bytesWritten += bytes;
  }

  synced(nowMs: number, tookMs: number): void {
    this.#roll(nowMs);
    this.#latencyCount++;
    this.#latency.record(Math.max(1, Math.round(tookMs * NS_PER_MS)));
  }

  /** The engine's timer called this much later than it was set to. */
  stalled(lateMs: number): void {
    if (lateMs > this.#stallMsMax) this.#stallMsMax = lateMs;
  }

  /** The step that is under way is part of the answer. */
  read(nowMs: number): StoreMetrics {
    this.#roll(nowMs);
    const latency = this.#latencyPoint();
    const commits = this.#commitPoint();
    return {
      stepMs: STEP_MS,
      syncLatency: [...this.#latencyPoints, ...(latency === undefined ? [] : [latency])],
      commits: [...this.#commitPoints, ...(commits === undefined ? [] : [commits])],
      totals: { ...this.totals },
      engineStallMsMax: this.#stallMsMax,
    };
  }

  #roll(nowMs: number): void {
    const step = Math.floor(nowMs / STEP_MS);
    if (step === this.#step) return;
    keep(this.#latencyPoints, this.#latencyPoint(), nowMs);
    keep(this.#commitPoints, this.#commitPoint(), nowMs);
    this.#latency.reset();
    this.#latencyCount = 0;
    this.#commits = { commits: 0, records: 0, recordsMax: 0, bytes: 0 };
    this.#step = step;
  }

  #latencyPoint(): LatencyPoint | undefined {
    if (this.#latencyCount === 0) return undefined;
    return {
      atMs: this.#step * STEP_MS,
      count: this.#latencyCount,
      p50Ms: this.#latency.percentile(50) / NS_PER_MS,
      p99Ms: this.#latency.percentile(99) / NS_PER_MS,
      maxMs: this.#latency.max / NS_PER_MS,
    };
  }

  #commitPoint(): CommitPoint | undefined {
    return this.#commits.commits === 0 ? undefined : { atMs: this.#step * STEP_MS, ...this.#commits };
  }
}

/** Appends a point and drops those that are older than the window, or later than now after the clock was set back. */
function keep<Point extends { readonly atMs: number }>(points: Point[], point: Point | undefined, nowMs: number): void {
  if (point !== undefined) points.push(point);
  const fromMs = nowMs - STEPS_KEPT * STEP_MS;
  const stale = points.some((one) => one.atMs < fromMs || one.atMs > nowMs);
  if (stale) points.splice(0, points.length, ...points.filter((one) => one.atMs >= fromMs && one.atMs <= nowMs));
}

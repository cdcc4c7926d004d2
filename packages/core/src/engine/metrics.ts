import { createHistogram, type RecordableHistogram } from 'node:perf_hooks';
import type {
  CommitPoint,
  HistogramName,
  HistogramSeries,
  HistogramsRequest,
  LatencyPoint,
  StoreMetrics,
} from '@holdfast/contract';
import { HistogramTiers } from './histogram-tiers.js';

const STEP_MS = 10_000;
/** An hour. */
const STEPS_KEPT = 360;
/** Pairs of queue and worker whose expired leases are counted. */
const EXPIRY_COUNTS_MAX = 1000;
const US_PER_MS = 1000;
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
  readonly #histograms: Readonly<Record<HistogramName, HistogramTiers>> = {
    sync: new HistogramTiers(),
    append: new HistogramTiers(),
    claim: new HistogramTiers(),
    queue: new HistogramTiers(),
    run: new HistogramTiers(),
    commitRecords: new HistogramTiers(),
    commitBytes: new HistogramTiers(),
  };
  readonly #expiries = new Map<string, { readonly queue: string; readonly worker: string; count: number }>();
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
    this.#histograms.commitRecords.record(nowMs, records);
    this.#histograms.commitBytes.record(nowMs, bytes);
    this.totals.commits++;
    this.totals.bytesWritten += bytes;
  }

  synced(nowMs: number, tookMs: number): void {
    this.#roll(nowMs);
    this.took('sync', nowMs, tookMs);
    this.#latencyCount++;
    this.#latency.record(Math.max(1, Math.round(tookMs * NS_PER_MS)));
  }

  /** Something took so long, or waited so long. */
  took(name: 'sync' | 'append' | 'claim' | 'queue' | 'run', nowMs: number, tookMs: number): void {
    this.#histograms[name].record(nowMs, tookMs * US_PER_MS);
  }

  leaseExpired(queue: string, worker: string): void {
    this.totals.leaseExpiries++;
    const key = `${queue}\0${worker}`;
    const known = this.#expiries.get(key);
    if (known !== undefined) known.count++;
    else if (this.#expiries.size < EXPIRY_COUNTS_MAX) this.#expiries.set(key, { queue, worker, count: 1 });
  }

  histograms({ name, stepMs, fromMs }: HistogramsRequest, nowMs: number): HistogramSeries {
    return { stepMs, points: this.#histograms[name].read(stepMs, nowMs, fromMs) };
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
      leaseExpiriesBy: [...this.#expiries.values()].map((one) => ({ ...one })),
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

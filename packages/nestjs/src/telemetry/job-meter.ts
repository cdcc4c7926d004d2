import { type JobFacts } from '@holdfast/core';
import { IS_LAST, WORKER_EVENTS } from '../processor/job-scopes.js';
import { type QueueWorker } from '../processor/queue-worker.js';
import { Histogram } from './histogram.js';
import { type Labels, type Sample } from './metric.js';

/** Seconds. Jobs take from milliseconds to an hour. */
const RUN_BOUNDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 900, 3600];
const START_BOUNDS = [...RUN_BOUNDS, 21_600, 86_400];
/** Job names a queue: where more are made up, the rest count as `other`. */
const NAMES_MAX = 100;

/** Counts what workers do, each from the moment that it listens to it. */
export class JobMeter {
  readonly #attempts = new Map<string, { readonly labels: Labels; value: number }>();
  readonly #errors = new Map<string, { readonly labels: Labels; value: number }>();
  readonly #runs = new Map<string, { readonly labels: Labels; readonly histogram: Histogram }>();
  readonly #starts = new Map<string, { readonly labels: Labels; readonly histogram: Histogram }>();
  readonly #names = new Map<QueueWorker, Set<string>>();

  get attempts(): Sample[] {
    return [...this.#attempts.values()];
  }

  get errors(): Sample[] {
    return [...this.#errors.values()];
  }

  get runs(): Sample[] {
    return [...this.#runs.values()].flatMap(({ labels, histogram }) => histogram.samples(labels));
  }

  get starts(): Sample[] {
    return [...this.#starts.values()].flatMap(({ labels, histogram }) => histogram.samples(labels));
  }

  listen(worker: QueueWorker): void {
    for (const outcome of WORKER_EVENTS) {
      if (outcome === 'error' || outcome === 'blocked') continue;
      worker.on(outcome, (event) => {
        if (IS_LAST[outcome](event as never)) this.#count(worker, outcome, event);
      });
    }
    worker.on('error', ({ during }) => count(this.#errors, { ...labelsOf(worker), during }));
  }

  #count(worker: QueueWorker, outcome: string, event: { readonly job: JobFacts; readonly durationMs?: number }): void {
    const { job, durationMs } = event;
    const labels = { ...labelsOf(worker), job: this.#nameOf(worker, job.name) };
    count(this.#attempts, { ...labels, outcome });
    if (durationMs === undefined) return;
    observe(this.#runs, { ...labels, outcome }, RUN_BOUNDS, durationMs / 1000);
    if (job.attempt > 1) return;
    const startedAfterMs = Math.max(0, Date.now() - durationMs - job.enqueuedAtMs);
    observe(this.#starts, labels, START_BOUNDS, startedAfterMs / 1000);
  }

  #nameOf(worker: QueueWorker, name: string): string {
    const names = this.#names.get(worker) ?? new Set();
    this.#names.set(worker, names);
    if (names.has(name)) return name;
    if (names.size >= NAMES_MAX) return 'other';
    names.add(name);
    return name;
  }
}

function labelsOf({ connection, queueName }: QueueWorker) {
  return { connection: connection.name, queue: queueName };
}

function count(counters: Map<string, { readonly labels: Labels; value: number }>, labels: Labels): void {
  const key = JSON.stringify(labels);
  const counter = counters.get(key) ?? { labels, value: 0 };
  counter.value++;
  counters.set(key, counter);
}

function observe(
  histograms: Map<string, { readonly labels: Labels; readonly histogram: Histogram }>,
  labels: Labels,
  bounds: readonly number[],
  value: number,
): void {
  const key = JSON.stringify(labels);
  const entry = histograms.get(key) ?? { labels, histogram: new Histogram(bounds) };
  entry.histogram.observe(value);
  histograms.set(key, entry);
}

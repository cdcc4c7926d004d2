import { type IntervalHistogram } from 'node:perf_hooks';
import { JOB_STATES, type QueueSummary, type StoreHealth, type StoreMetrics } from '@holdfast/contract';
import { isInternalQueue } from '@holdfast/contract/rules';
import { type Connection } from '../connection/connection.js';
import { type Fleet } from '../processor/fleet.js';
import { type QueueWorkerReport } from '../processor/queue-worker.js';
import { type JobMeter } from './job-meter.js';
import { type Labels, type Sample } from './metric.js';

/** How often Node looks how late the event loop is. */
export const LOOP_LOOK_EVERY_MS = 20;

/** What one store says at a time; queues and metrics are absent where it cannot say them. */
interface StoreMeasurement {
  readonly connection: string;
  readonly health: StoreHealth;
  readonly queues: readonly QueueSummary[];
  readonly metrics: StoreMetrics | undefined;
}

/** Everything that metrics are read from, at one time. */
export interface Measurement {
  readonly nowMs: number;
  readonly stores: readonly StoreMeasurement[];
  readonly fleet: Fleet;
  readonly meter: JobMeter;
  readonly loopDelay: IntervalHistogram;
}

export async function measure(
  fleet: Fleet,
  meter: JobMeter,
  loopDelay: IntervalHistogram,
  nowMs: number,
): Promise<Measurement> {
  return { nowMs, stores: await Promise.all(fleet.connections.map(measureStore)), fleet, meter, loopDelay };
}

async function measureStore({ name, store }: Connection): Promise<StoreMeasurement> {
  const [queues, metrics] = await Promise.allSettled([store.queues(), store.metrics()]);
  return {
    connection: name,
    health: store.health(),
    // What Holdfast keeps for itself is nobody's backlog.
    queues: queues.status === 'fulfilled' ? queues.value.filter(({ name }) => !isInternalQueue(name)) : [],
    metrics: metrics.status === 'fulfilled' ? metrics.value : undefined,
  };
}

export function ofStores({ stores }: Measurement, read: (store: StoreMeasurement) => number | undefined): Sample[] {
  return stores.flatMap((store) => sample({ connection: store.connection }, read(store)));
}

export function ofTotals(measurement: Measurement, read: (totals: StoreMetrics['totals']) => number): Sample[] {
  return ofStores(measurement, ({ metrics }) => (metrics === undefined ? undefined : read(metrics.totals)));
}

export function ofQueues({ stores }: Measurement, read: (queue: QueueSummary) => number | undefined): Sample[] {
  return stores.flatMap(({ connection, queues }) =>
    queues.flatMap((queue) => sample({ connection, queue: queue.name }, read(queue))),
  );
}

export function ofStates({ stores }: Measurement): Sample[] {
  return stores.flatMap(({ connection, queues }) =>
    queues.flatMap(({ name, counts }) =>
      JOB_STATES.map((state) => ({ labels: { connection, queue: name, state }, value: counts[state] })),
    ),
  );
}

export function ofWorkers({ fleet }: Measurement, read: (report: QueueWorkerReport) => number): Sample[] {
  return fleet.workers.map((worker) => ({
    labels: { connection: worker.connection.name, queue: worker.queueName },
    value: read(worker.report()),
  }));
}

/** Of the latest interval in which something was synced. */
export function ofSyncs({ stores }: Measurement): Sample[] {
  return stores.flatMap(({ connection, metrics }) => {
    const latest = metrics?.syncLatency.at(-1);
    if (latest === undefined) return [];
    return quantiles({ connection }, latest.p50Ms, latest.p99Ms, latest.maxMs);
  });
}

/** Since the last reading. Node counts from one look to the next, the time between them included. */
export function ofLoopDelay({ loopDelay }: Pick<Measurement, 'loopDelay'>): Sample[] {
  const [p50, p99, max] = [loopDelay.percentile(50), loopDelay.percentile(99), loopDelay.max].map((ns) =>
    Math.max(0, ns / 1e6 - LOOP_LOOK_EVERY_MS),
  );
  loopDelay.reset();
  return quantiles({}, p50!, p99!, max!);
}

function quantiles(labels: Labels, p50Ms: number, p99Ms: number, maxMs: number): Sample[] {
  return [
    { labels: { ...labels, quantile: '0.5' }, value: p50Ms / 1000 },
    { labels: { ...labels, quantile: '0.99' }, value: p99Ms / 1000 },
    { labels: { ...labels, quantile: '1' }, value: maxMs / 1000 },
  ];
}

function sample(labels: Labels, value: number | undefined): Sample[] {
  return value === undefined ? [] : [{ labels, value }];
}

import {
  type Measurement,
  ofLoopDelay,
  ofQueues,
  ofStates,
  ofStores,
  ofSyncs,
  ofTotals,
  ofWorkers,
} from './measurement.js';
import { type MetricKind, type Sample } from './metric.js';

/** A metric and how it is read. */
export interface Metric extends MetricKind {
  readonly read: (measurement: Measurement) => Sample[];
}

const QUEUE = ['connection', 'queue'] as const;
const STORE = ['connection'] as const;

/** All that is told to Prometheus. docs/telemetry.md lists them, and a test holds the two together. */
export const METRICS: readonly Metric[] = [
  {
    name: 'holdfast_jobs',
    help: 'Jobs that the store keeps, by state.',
    type: 'gauge',
    labels: [...QUEUE, 'state'],
    read: ofStates,
  },
  {
    name: 'holdfast_queue_oldest_ready_seconds',
    help: 'How long the longest-waiting ready job has waited; 0 when none is ready.',
    type: 'gauge',
    labels: QUEUE,
    read: (measurement) =>
      ofQueues(measurement, ({ oldestReadyAtMs }) =>
        oldestReadyAtMs === undefined ? 0 : Math.max(0, measurement.nowMs - oldestReadyAtMs) / 1000,
      ),
  },
  {
    name: 'holdfast_queue_paused',
    help: '1 while no job of the queue is claimed.',
    type: 'gauge',
    labels: QUEUE,
    read: (measurement) => ofQueues(measurement, ({ paused }) => (paused === undefined ? 0 : 1)),
  },
  {
    name: 'holdfast_job_attempts_total',
    help: 'Attempts that ended in this process, by outcome.',
    type: 'counter',
    labels: [...QUEUE, 'job', 'outcome'],
    read: ({ meter }) => meter.attempts,
  },
  {
    name: 'holdfast_job_run_seconds',
    help: 'From the start of a handler until the store knew its end.',
    type: 'histogram',
    labels: [...QUEUE, 'job', 'outcome'],
    read: ({ meter }) => meter.runs,
  },
  {
    name: 'holdfast_job_start_seconds',
    help: 'From enqueue to the start of a first attempt, with all delays and snoozes before it. A redriven job has a first attempt again.',
    type: 'histogram',
    labels: [...QUEUE, 'job'],
    read: ({ meter }) => meter.starts,
  },
  {
    name: 'holdfast_worker_errors_total',
    help: 'Errors of workers that are no fault of a job, by what they were doing.',
    type: 'counter',
    labels: [...QUEUE, 'during'],
    read: ({ meter }) => meter.errors,
  },
  {
    name: 'holdfast_worker_running',
    help: 'Handlers at work in this process.',
    type: 'gauge',
    labels: QUEUE,
    read: (measurement) => ofWorkers(measurement, ({ running }) => running),
  },
  {
    name: 'holdfast_worker_runaways',
    help: 'Handlers in this process that still run though their attempts were given up for their time.',
    type: 'gauge',
    labels: QUEUE,
    read: (measurement) => ofWorkers(measurement, ({ runaways }) => runaways.length),
  },
  {
    name: 'holdfast_store_up',
    help: '1 while the store is open and takes jobs.',
    type: 'gauge',
    labels: STORE,
    read: (measurement) => ofStores(measurement, ({ health }) => (health.status === 'open' ? 1 : 0)),
  },
  {
    name: 'holdfast_store_reopened_total',
    help: 'How often the store was lost and opened again.',
    type: 'counter',
    labels: STORE,
    read: (measurement) => ofStores(measurement, ({ health }) => health.reopened),
  },
  {
    name: 'holdfast_store_enqueued_total',
    help: 'Jobs stored since the store was opened.',
    type: 'counter',
    labels: STORE,
    read: (measurement) => ofTotals(measurement, ({ enqueued }) => enqueued),
  },
  {
    name: 'holdfast_store_lease_expiries_total',
    help: 'Leases that ended before their job did, since the store was opened.',
    type: 'counter',
    labels: STORE,
    read: (measurement) => ofTotals(measurement, ({ leaseExpiries }) => leaseExpiries),
  },
  {
    name: 'holdfast_store_commits_total',
    help: 'Commits since the store was opened.',
    type: 'counter',
    labels: STORE,
    read: (measurement) => ofTotals(measurement, ({ commits }) => commits),
  },
  {
    name: 'holdfast_store_written_bytes_total',
    help: 'Bytes written since the store was opened.',
    type: 'counter',
    labels: STORE,
    read: (measurement) => ofTotals(measurement, ({ bytesWritten }) => bytesWritten),
  },
  {
    name: 'holdfast_store_sync_seconds',
    help: 'How long the disk took to sync, in the latest interval with a sync. Quantile 1 is the longest.',
    type: 'gauge',
    labels: [...STORE, 'quantile'],
    read: ofSyncs,
  },
  {
    name: 'holdfast_store_engine_stall_seconds_max',
    help: 'Longest time the engine was late for its own timer, since the store was opened.',
    type: 'gauge',
    labels: STORE,
    read: (measurement) => ofStores(measurement, ({ metrics }) => seconds(metrics?.engineStallMsMax)),
  },
  {
    name: 'holdfast_store_application_stall_seconds_max',
    help: 'Longest time the event loop was blocked when a lease was due to end, since the store was opened.',
    type: 'gauge',
    labels: STORE,
    read: (measurement) => ofStores(measurement, ({ metrics }) => seconds(metrics?.applicationStallMsMax)),
  },
  {
    name: 'holdfast_event_loop_delay_seconds',
    help: 'How late the event loop of this process was, since the last reading. Quantile 1 is the latest.',
    type: 'gauge',
    labels: ['quantile'],
    read: ofLoopDelay,
  },
];

function seconds(ms: number | undefined): number | undefined {
  return ms === undefined ? undefined : ms / 1000;
}

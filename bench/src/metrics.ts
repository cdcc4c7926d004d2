const count = (value: number) => Math.round(value).toLocaleString('en-US');
const digits = (places: number) => (value: number) => value.toFixed(places);

/** Everything that a case may measure: how it is called in tables, and how it is written there. */
export const METRICS = {
  jobsPerSecond: { title: 'jobs/s', format: count },
  p50Ms: { title: 'p50 ms', format: digits(3) },
  p99Ms: { title: 'p99 ms', format: digits(3) },
  otherP50Ms: { title: 'p50 ms without', format: digits(3) },
  otherP99Ms: { title: 'p99 ms without', format: digits(3) },
  /** Processor time of the application's thread: it cannot do more jobs than this allows. */
  appMicroseconds: { title: 'app µs/job', format: digits(2) },
  /** Processor time of all other threads of the process: engine, syncs, V8's helpers. */
  otherMicroseconds: { title: 'other threads µs/job', format: digits(2) },
  eventLoopP99Ms: { title: 'event loop p99 ms', format: digits(2) },
  cpuMsPerSecond: { title: 'CPU ms/s', format: digits(2) },
  megabytesPerSecond: { title: 'MB/s', format: count },
  bareMegabytesPerSecond: { title: 'MB/s of a bare loop', format: count },
} as const;

export type MetricName = keyof typeof METRICS;

/** What one run of a case measured. */
export type Metrics = Readonly<Partial<Record<MetricName, number>>>;

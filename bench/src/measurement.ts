/** What one run of one case measured. */
export interface Measurement {
  readonly jobs: number;
  /** For all jobs of the case, through the store. */
  readonly seconds: number;
  /** Waiting times of single calls, where the case has them. */
  readonly latenciesMs?: readonly number[];
  /** What the log did meanwhile, for the bare limit to repeat: frames written, bytes in them, syncs. */
  readonly writes: number;
  readonly syncs: number;
  readonly bytes: number;
}

/** One run beside the bare limit on the same disk, seconds after it. */
export interface ComparedMeasurement extends Omit<Measurement, 'latenciesMs'> {
  readonly bareSeconds: number;
  readonly p50Ms?: number;
  readonly p99Ms?: number;
}

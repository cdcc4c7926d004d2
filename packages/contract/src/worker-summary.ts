import type { WorkerName } from './job-store.js';

/** Who claims jobs, or has some leased. */
export interface WorkerSummary {
  readonly name: WorkerName;
  /** Of its claims in the last minutes. */
  readonly queues: readonly string[];
  /** Names of jobs that it claims; absent if it takes all. */
  readonly names?: readonly string[];
  /** Jobs that it has leased. */
  readonly busy: number;
  /** Jobs that its last claim asked for: slots that were free then. */
  readonly free: number;
  /** A claim of it waits for jobs now. */
  readonly waiting: boolean;
  /** When it last claimed, extended or settled. */
  readonly lastSeenAtMs: number;
}

import type { JobError } from '../job.js';

/** What is kept with a job whose worker did not extend its lease. */
export function leaseExpiredError(worker: string, leaseMs: number, lateMs: number): JobError {
  return {
    class: 'LeaseExpired',
    message:
      `Worker ${worker} held the lease of ${leaseMs} ms and did not extend it. ` +
      `It was ended ${Math.round(lateMs)} ms after its deadline.`,
  };
}

/** What is kept with a job whose lease ended because its store was lost. */
export function processEndedError(worker: string): JobError {
  return {
    class: 'ProcessEnded',
    message: `The process of worker ${worker} ended, or its store was reopened, while the job was leased to it.`,
  };
}

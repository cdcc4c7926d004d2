import { type Job, type JobContext } from '@holdfast/core';

/**
 * A processor that handles all jobs of its queue in one method, whatever their names, but for those that a method with
 * `@Process('name')` asks for.
 */
export abstract class WorkerHost<Payload = unknown> {
  abstract process(job: Job<Payload>, context: JobContext): unknown;
}

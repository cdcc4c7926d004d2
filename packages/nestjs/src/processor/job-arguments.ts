import { type Job, type JobContext } from '@holdfast/core';
import { type ArgumentsHost } from '@nestjs/common';

/** What `getType()` answers in guards, interceptors, pipes and filters around a handler. */
export const HOLDFAST_CONTEXT = 'holdfast';

export interface JobArguments {
  readonly job: Job;
  readonly context: JobContext;
}

/** Job and context, for enhancers that stand around handlers; `undefined` where it is no job that they stand around. */
export function jobArguments(host: ArgumentsHost): JobArguments | undefined {
  if (host.getType<string>() !== HOLDFAST_CONTEXT) return undefined;
  const [job, context] = host.getArgs<[Job, JobContext]>();
  return { job, context };
}

import type { AttemptOutcome, FailItem, OperatorAct } from '@holdfast/contract';
import type { MemoryJob } from './memory-job.js';

/** What an operator wants to be done to a job. */
export type JobAct =
  | { readonly kind: 'redrive' | 'cancel' | 'remove' | 'runNow' }
  | { readonly kind: 'reprioritise'; readonly priority: number }
  | { readonly kind: 'transfer'; readonly queue: string };

/** How an attempt ended that did not complete. */
export type Ending = Extract<AttemptOutcome, 'failed' | 'leaseExpired' | 'processEnded'>;

/** What follows a failed attempt where the job is not cancelled. */
export type Retried = Exclude<FailItem['then'], 'cancel'>;

/** What an act notes of its own with the job. */
export function changesBy({ shape }: MemoryJob, act: JobAct): Pick<OperatorAct, 'priority' | 'fromQueue' | 'toQueue'> {
  if (act.kind === 'reprioritise') return { priority: act.priority };
  return act.kind === 'transfer' ? { fromQueue: shape.queue, toQueue: act.queue } : {};
}

import { InvalidArgumentError } from '../errors.js';
import type { JobId, Payload } from '../job.js';
import type { ActedBy } from '../job-selection.js';
import type { PauseOptions } from '../job-store.js';
import { checkedActor, checkedMs, checkText, checkWhole } from './call-checks.js';
import { STORE_LIMITS as LIMITS } from './limits.js';
import { payloadProblem, storablePayload } from './text-problem.js';

/** Checks of what operators do, beside those of selections and actors. */

export function checkedPriority(priority: number): number {
  checkWhole('priority', priority, 0, LIMITS.priorityMax);
  return priority;
}

/** Where jobs are to go. */
export function checkedTarget(queue: string): string {
  checkText('queue', queue, LIMITS.queueNameBytesMax);
  return queue;
}

export interface CheckedClone {
  readonly id: JobId;
  readonly by: ActedBy;
  readonly payload?: Payload;
}

export function checkedClone(id: JobId, by: ActedBy, payload: Payload | undefined): CheckedClone {
  if (typeof id !== 'string') throw new InvalidArgumentError('id', id, 'a job id');
  if (payload !== undefined && payloadProblem(payload) !== undefined) {
    throw new InvalidArgumentError('clone.payload', payload, storablePayload(LIMITS.payloadBytesMax));
  }
  return { id, by: checkedActor(by), ...(payload === undefined ? {} : { payload }) };
}

export interface CheckedPause {
  readonly queue: string;
  readonly by: ActedBy;
  readonly forMs?: number;
}

export function checkedPause(queue: string, by: ActedBy, options: PauseOptions = {}): CheckedPause {
  checkText('queue', queue, LIMITS.queueNameBytesMax);
  const { forMs } = options;
  const end = forMs === undefined ? {} : { forMs: checkedMs('pause.forMs', forMs, 1, LIMITS.delayMsMax) };
  return { queue, by: checkedActor(by), ...end };
}

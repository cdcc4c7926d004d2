import type { BulkTarget, JobId, JobStore } from '@holdfast/contract';
import { isInternalQueue, STORE_LIMITS } from '@holdfast/contract/rules';
import { Refusal } from './refusal.js';

/**
 * Nobody acts on what Holdfast keeps for itself, or an admin could remove what the activity says of him. A plan that is sent back is
 * checked again, because it is no more than what its sender says.
 * @throws Refusal
 */
export async function refuseOwnQueues(store: JobStore, { act, selection }: BulkTarget): Promise<void> {
  if (act.kind === 'transfer') refuseOwnQueue(act.queue, 'act.queue');
  if ('ids' in selection) return refuseOwnJobs(store, selection.ids);
  if (selection.filter.queue !== undefined) refuseOwnQueue(selection.filter.queue, 'selection.filter.queue');
}

export function refuseOwnQueue(queue: string, field: string): void {
  if (isInternalQueue(queue)) throw own(field);
}

export async function refuseOwnJobs(store: JobStore, ids: readonly JobId[]): Promise<void> {
  const plan = await store.plan?.({ ids });
  const names = plan?.queues.map(({ queue }) => queue);
  const isWhole = names !== undefined && names.length < STORE_LIMITS.planQueuesMax;
  const queues = isWhole ? names : await queuesOf(store, ids);
  if (queues.some(isInternalQueue)) throw own('ids');
}

async function queuesOf(store: JobStore, ids: readonly JobId[]): Promise<string[]> {
  const jobs = await Promise.all(ids.map((id) => store.job(id)));
  return jobs.flatMap((job) => (job === undefined ? [] : [job.queue]));
}

function own(field: string): Refusal {
  const detail = `${field} names what Holdfast keeps for itself. Nothing was changed.`;
  return new Refusal(403, 'OWN_QUEUE', detail, field);
}

import type {
  CloneAnswer,
  CloneBody,
  JobActAnswer,
  QueuePauseAnswer,
  QueuePauseBody,
  QueueResumeAnswer,
  QueueResumeBody,
} from '@holdfast/contract';
import { type QueryClient, useMutation, useQueryClient } from '@tanstack/react-query';
import { releaseRows } from '../live/row-release.js';
import { postJson } from './http.js';

/** A plan is what was counted when it was asked for; who looks does not change by an act. */
const KEPT = ['meta', 'plan'];

/** What one job can be made to do, by its word in the API. */
export type JobActKind = 'redrive' | 'runNow' | 'cancel' | 'remove' | 'reprioritise' | 'transfer';

export interface JobAct {
  readonly id: string;
  readonly act: JobActKind;
  readonly reason?: string;
  readonly priority?: number;
  /** Where it goes. */
  readonly queue?: string;
}

/** Acts on one job, and then asks again for everything on the page that counts or lists jobs. */
export function useJobAct() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ id, act, ...body }: JobAct) => postJson<JobActAnswer>(['jobs', id, 'acts', act], body),
    onSettled: () => askAgain(client),
  });
}

export function useClone() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ id, ...body }: CloneBody & { readonly id: string }) =>
      postJson<CloneAnswer>(['jobs', id, 'acts', 'clone'], body),
    onSettled: () => askAgain(client),
  });
}

export function usePauseQueue() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: QueuePauseBody) => postJson<QueuePauseAnswer>(['queues', 'pause'], body),
    onSettled: () => askAgain(client),
  });
}

export function useResumeQueue() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: QueueResumeBody) => postJson<QueueResumeAnswer>(['queues', 'resume'], body),
    onSettled: () => askAgain(client),
  });
}

/** Not waited for: the answer is told at once, and the lists follow, whoever points at them. */
export function askAgain(client: QueryClient): void {
  const lists = client.invalidateQueries({ predicate: ({ queryKey }) => !KEPT.includes(String(queryKey[0])) });
  void lists.then(releaseRows);
}

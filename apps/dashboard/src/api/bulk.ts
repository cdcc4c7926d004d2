import type {
  BulkOperationAnswer,
  BulkOperationBody,
  BulkOperationsAnswer,
  BulkPlanAnswer,
  BulkTarget,
} from '@holdfast/contract';
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { CALM_REFRESH_MS, type RefreshOptions } from '../live/refresh.js';
import { askAgain } from './acts.js';
import { getJson, postJson } from './http.js';
import { ApiProblem } from './problem.js';

/** Counts, and changes nothing. Asked once for each dialog, so that what is confirmed is what was shown. */
export function planQuery(target: BulkTarget, asked: number) {
  return queryOptions({
    queryKey: ['plan', target, asked],
    queryFn: () => postJson<BulkPlanAnswer>(['bulk', 'plans'], target),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    retry: false,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  });
}

export function useStartOperation() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: BulkOperationBody) => postJson<BulkOperationAnswer>(['bulk', 'operations'], body),
    // It can be shown, and undone, before anybody has asked for it. The stream may have told more of it by now.
    onSuccess: (answer) =>
      client.setQueryData<BulkOperationAnswer>(['operation', answer.operation.id], (known) => known ?? answer),
    onSettled: () => askAgain(client),
  });
}

export type OperationStep = 'pause' | 'resume' | 'abort';

export function useOperationStep() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ id, step }: { readonly id: string; readonly step: OperationStep }) =>
      postJson<BulkOperationAnswer>(['bulk', 'operations', id, step], {}),
    onSuccess: (answer) => client.setQueryData(['operation', answer.operation.id], answer),
    onSettled: () => askAgain(client),
  });
}

export function operationsQuery(refresh: RefreshOptions) {
  return queryOptions({
    queryKey: ['operations'],
    queryFn: ({ signal }) => getJson<BulkOperationsAnswer>(['bulk', 'operations'], {}, signal),
    ...refresh,
  });
}

/** One operation, until it is over or forgotten. A server that does not answer is asked less often: its card can be dismissed meanwhile. */
export function operationQuery(id: string, refresh: RefreshOptions) {
  return queryOptions({
    queryKey: ['operation', id],
    queryFn: ({ signal }) => getJson<BulkOperationAnswer>(['bulk', 'operations', id], {}, signal),
    ...refresh,
    // Over, it is not asked for any more, and does not count as stale for that.
    meta: { live: false, nudged: false },
    refetchInterval: ({ state: { data, error } }) => {
      const { refetchInterval } = refresh;
      if (refetchInterval === false || (data !== undefined && isOver(data.operation)) || isForgotten(error))
        return false;
      return error === null ? refetchInterval : Math.max(refetchInterval, CALM_REFRESH_MS);
    },
  });
}

/** The store keeps operations for a while only, and a server may have got another store. */
function isForgotten(error: Error | null): boolean {
  return error instanceof ApiProblem && error.status === 404;
}

export function isOver({ status }: BulkOperationAnswer['operation']): boolean {
  return status === 'done' || status === 'aborted' || status === 'failed';
}

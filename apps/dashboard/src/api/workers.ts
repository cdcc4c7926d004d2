import type { WorkersAnswer } from '@holdfast/contract';
import { queryOptions } from '@tanstack/react-query';
import type { RefreshOptions } from '../live/refresh.js';
import { getJson } from './http.js';

export function workersQuery(refresh: RefreshOptions) {
  return queryOptions({
    queryKey: ['workers'],
    queryFn: ({ signal }) => getJson<WorkersAnswer>(['workers'], {}, signal),
    ...refresh,
  });
}

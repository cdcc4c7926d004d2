import type { LeasesAnswer } from '@holdfast/contract';
import { queryOptions } from '@tanstack/react-query';
import type { RefreshOptions } from '../live/refresh.js';
import { getJson } from './http.js';

export function leasesQuery(refresh: RefreshOptions) {
  return queryOptions({
    queryKey: ['leases'],
    queryFn: ({ signal }) => getJson<LeasesAnswer>(['leases'], {}, signal),
    ...refresh,
  });
}

import type { OverviewAnswer } from '@holdfast/contract';
import { queryOptions } from '@tanstack/react-query';
import type { RefreshOptions } from '../live/refresh.js';
import { getJson } from './http.js';

export function overviewQuery(refresh: RefreshOptions) {
  return queryOptions({
    queryKey: ['overview'],
    queryFn: ({ signal }) => getJson<OverviewAnswer>(['overview'], {}, signal),
    ...refresh,
    // The event that nudges lists has this answer in it.
    meta: { live: true, nudged: false },
  });
}

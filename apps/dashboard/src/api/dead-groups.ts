import type { DeadGroupsAnswer, DeadGroupsQuery } from '@holdfast/contract';
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import type { RefreshOptions } from '../live/refresh.js';
import { getJson } from './http.js';
import { PAGE_ROWS } from './jobs.js';

export type DeadGroupsFilter = Omit<DeadGroupsQuery, 'limit' | 'cursor'>;

export function deadGroupsQuery(filter: DeadGroupsFilter, cursor: string | undefined, refresh: RefreshOptions) {
  const family = { ...filter };
  return queryOptions({
    queryKey: ['deadGroups', family, cursor],
    queryFn: ({ signal }) =>
      getJson<DeadGroupsAnswer>(['dead', 'groups'], { ...family, limit: PAGE_ROWS, cursor }, signal),
    placeholderData: (previous, previousQuery) =>
      JSON.stringify(previousQuery?.queryKey[1]) === JSON.stringify(family) ? keepPreviousData(previous) : undefined,
    ...refresh,
  });
}

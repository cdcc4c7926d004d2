import type { ActivityAnswer } from '@holdfast/contract';
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import type { RefreshOptions } from '../live/refresh.js';
import { getJson } from './http.js';
import { PAGE_ROWS } from './jobs.js';

export function activityQuery(cursor: string | undefined, refresh: RefreshOptions) {
  return queryOptions({
    queryKey: ['activity', cursor],
    queryFn: ({ signal }) => getJson<ActivityAnswer>(['activity'], { limit: PAGE_ROWS, cursor }, signal),
    placeholderData: keepPreviousData,
    ...refresh,
  });
}

import type { JobAnswer, JobFilter, JobsAnswer } from '@holdfast/contract';
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import type { RefreshOptions } from '../live/refresh.js';
import { getJson } from './http.js';

export const PAGE_ROWS = 50;

/** Pages of one filter keep the rows of the former page until the next one is there; another filter never shows them. */
export function jobsQuery(filter: JobFilter, cursor: string | undefined, refresh: RefreshOptions) {
  const family = { state: filter.state, queue: filter.queue, name: filter.name };
  return queryOptions({
    queryKey: ['jobs', family, cursor],
    queryFn: ({ signal }) => getJson<JobsAnswer>(['jobs'], { ...family, limit: PAGE_ROWS, cursor }, signal),
    placeholderData: (previous, previousQuery) =>
      JSON.stringify(previousQuery?.queryKey[1]) === JSON.stringify(family) ? keepPreviousData(previous) : undefined,
    ...refresh,
  });
}

export function jobQuery(id: string, refresh: RefreshOptions) {
  return queryOptions({
    queryKey: ['job', id],
    queryFn: ({ signal }) => getJson<JobAnswer>(['jobs', id], {}, signal),
    ...refresh,
  });
}

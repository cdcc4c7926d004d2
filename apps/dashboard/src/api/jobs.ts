import type { JobAnswer, JobsAnswer, JobsQuery } from '@holdfast/contract';
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import type { RefreshOptions } from '../live/refresh.js';
import { getJson } from './http.js';
import { serverClock } from './server-clock.js';

export const PAGE_ROWS = 50;
const STOPPING_REFRESH_MS = 1_000;

export type JobsFilter = Omit<JobsQuery, 'limit' | 'cursor'> & {
  /** Enqueued within this time before the question: counted back from the server's clock each time it is asked. */
  readonly youngerThanMs?: number;
};

/** Pages of one filter keep the rows of the former page until the next one is there; another filter never shows them. */
export function jobsQuery(filter: JobsFilter, cursor: string | undefined, refresh: RefreshOptions) {
  const family = { ...filter };
  return queryOptions({
    queryKey: ['jobs', family, cursor],
    queryFn: ({ signal }) =>
      getJson<JobsAnswer>(['jobs'], { ...asParameters(family), limit: PAGE_ROWS, cursor }, signal),
    placeholderData: (previous, previousQuery) =>
      JSON.stringify(previousQuery?.queryKey[1]) === JSON.stringify(family) ? keepPreviousData(previous) : undefined,
    ...refresh,
  });
}

function asParameters({ youngerThanMs, ...filter }: JobsFilter): JobsQuery {
  return youngerThanMs === undefined
    ? filter
    : { ...filter, enqueuedFromMs: Math.floor(serverClock.now() - youngerThanMs) };
}

export function jobQuery(id: string, refresh: RefreshOptions) {
  return queryOptions({
    queryKey: ['job', id],
    queryFn: ({ signal }) => getJson<JobAnswer>(['jobs', id], {}, signal),
    ...refresh,
    refetchInterval: ({ state }) => {
      const { refetchInterval } = refresh;
      return refetchInterval !== false && isStopping(state.data) ? STOPPING_REFRESH_MS : refetchInterval;
    },
  });
}

/** What a handler does after a cancel changes no counter, so the server does not tell it by itself. */
function isStopping(answer: JobAnswer | undefined): boolean {
  const run = answer?.cancelledRun;
  return run?.known === true && run.endedAtMs === undefined;
}

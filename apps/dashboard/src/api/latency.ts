import type { LatencyAnswer, LatencyQuery } from '@holdfast/contract';
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import type { RefreshOptions } from '../live/refresh.js';
import { getJson } from './http.js';

/** The span is part of the name of the answer, the moment from which it counts is not: it moves with the clock. */
export function latencyQuery(
  measure: LatencyQuery['measure'],
  stepMs: LatencyQuery['stepMs'],
  fromMs: () => number,
  refresh: RefreshOptions,
) {
  return queryOptions({
    queryKey: ['latency', measure, stepMs],
    queryFn: ({ signal }) => getJson<LatencyAnswer>(['latency'], { measure, stepMs, fromMs: fromMs() }, signal),
    placeholderData: keepPreviousData,
    ...refresh,
  });
}

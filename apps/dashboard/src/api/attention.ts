import type { AttentionAnswer } from '@holdfast/contract';
import { queryOptions } from '@tanstack/react-query';
import type { RefreshOptions } from '../live/refresh.js';
import { getJson } from './http.js';

export function attentionQuery(refresh: RefreshOptions) {
  return queryOptions({
    queryKey: ['attention'],
    queryFn: ({ signal }) => getJson<AttentionAnswer>(['attention'], {}, signal),
    ...refresh,
  });
}

import type { StorageAnswer } from '@holdfast/contract';
import { queryOptions } from '@tanstack/react-query';
import type { RefreshOptions } from '../live/refresh.js';
import { getJson } from './http.js';

export function storageQuery(refresh: RefreshOptions) {
  return queryOptions({
    queryKey: ['storage'],
    queryFn: ({ signal }) => getJson<StorageAnswer>(['storage'], {}, signal),
    ...refresh,
  });
}

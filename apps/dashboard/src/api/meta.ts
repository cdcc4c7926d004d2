import type { AdminRole, MetaAnswer } from '@holdfast/contract';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { getJson } from './http.js';

const META_REFRESH_MS = 60_000;

export const metaQuery = queryOptions({
  queryKey: ['meta'],
  queryFn: ({ signal }) => getJson<MetaAnswer>(['meta'], {}, signal),
  refetchInterval: META_REFRESH_MS,
});

/** Undefined until the server has said who asks: then nothing may be done yet. */
export function useRole(): AdminRole | undefined {
  return useQuery(metaQuery).data?.role;
}

/** Redriving needs the role operator; an admin holds it too. The server decides again. */
export function mayRedrive(role: AdminRole | undefined): boolean {
  return role === 'operator' || role === 'admin';
}

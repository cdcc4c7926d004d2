import type { AdminRole, MetaAnswer } from '@holdfast/contract';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { getJson } from './http.js';

const META_REFRESH_MS = 60_000;
const ROLES: readonly AdminRole[] = ['viewer', 'operator', 'admin'];

export const metaQuery = queryOptions({
  queryKey: ['meta'],
  queryFn: ({ signal }) => getJson<MetaAnswer>(['meta'], {}, signal),
  refetchInterval: META_REFRESH_MS,
});

/** Whether the server is being asked who looks, and has never said it yet. Asks nothing itself. */
export function useIsMetaAwaited(): boolean {
  const { isPending, isFetching } = useQuery({ ...metaQuery, enabled: false });
  return isPending && isFetching;
}

/** Undefined until the server has said who asks: then nothing may be done yet. */
export function useRole(): AdminRole | undefined {
  return useQuery(metaQuery).data?.role;
}

/** Present where the store only shows jobs. Undefined, too, until the server has said so. */
export function useReadOnly(): MetaAnswer['readOnly'] {
  return useQuery(metaQuery).data?.readOnly;
}

/** Each role holds the ones before it. The server decides again. */
export function roleAllows(role: AdminRole | undefined, needed: AdminRole): boolean {
  return role !== undefined && ROLES.indexOf(role) >= ROLES.indexOf(needed);
}

/** Whether the server has the routes for acts on single jobs and queues: one that names its features has. */
export function useActs(): boolean {
  return useQuery(metaQuery).data?.features !== undefined;
}

type Feature = keyof NonNullable<MetaAnswer['features']>;

/** Whether this server and its store can do something. Nothing, until it has said so. */
export function useFeature(feature: Feature): boolean {
  return useQuery(metaQuery).data?.features?.[feature] ?? false;
}

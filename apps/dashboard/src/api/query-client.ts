import { QueryClient } from '@tanstack/react-query';
import type { Nudged } from '../live/refresh.js';
import { ApiProblem } from './problem.js';

declare module '@tanstack/react-query' {
  interface Register {
    defaultError: Error;
    queryMeta: { readonly live?: boolean; readonly nudged?: Nudged };
  }
}

/** Looking is tried again when that may help; an act never is: the operator decides with the answer in view. */
export function makeQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        retry: (failures, error) => failures < 2 && error instanceof ApiProblem && error.passing,
        retryDelay: (failures) => 400 * 2 ** failures,
        staleTime: 1_000,
        gcTime: 5 * 60_000,
        networkMode: 'always',
      },
      mutations: { retry: false, networkMode: 'always' },
    },
  });
}

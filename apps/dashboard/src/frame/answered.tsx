import type { ServerTime } from '@holdfast/contract';
import type { UseQueryResult } from '@tanstack/react-query';
import { type ReactNode, useRef } from 'react';
import { useIsMetaAwaited } from '../api/meta.js';
import { ApiProblem, isRefusal } from '../api/problem.js';
import { RefreshProblem, WholeProblem } from './problem-view.js';

interface AnsweredProps<Answer extends ServerTime> {
  readonly query: UseQueryResult<Answer, Error>;
  /** Until the first answer. */
  readonly loading: ReactNode;
  /** Instead of the problem when the server says that there is no such thing. */
  readonly missing?: ReactNode;
  readonly children: (answer: Answer) => ReactNode;
}

/**
 * What is shown for a query in each of its states. Data once shown stays, under a banner when it could not be refreshed;
 * a problem without data stays until there is an answer, although the query forgets it each time it asks again.
 * Whoever is refused altogether is told so once, in place of every page: a page that hears it first does not tell it for itself.
 */
export function Answered<Answer extends ServerTime>({ query, loading, missing, children }: AnsweredProps<Answer>) {
  const lastError = useRef<Error>(null);
  const awaitsMeta = useIsMetaAwaited();
  if (query.error !== null || query.data !== undefined) lastError.current = query.error;
  const error = lastError.current;
  const retry = () => void query.refetch();
  if (query.data !== undefined) {
    return (
      <>
        {error !== null && <RefreshProblem error={error} sinceMs={query.data.serverTimeMs} onRetry={retry} />}
        {children(query.data)}
      </>
    );
  }
  if (error === null || (isRefusal(error) && awaitsMeta)) return loading;
  if (missing !== undefined && error instanceof ApiProblem && error.status === 404) return missing;
  return <WholeProblem error={error} onRetry={retry} />;
}

import { useLocation, useSearch } from 'wouter';
import { paramOf, withParams } from '../search-params.js';

/** Which job's panel is open is part of the address (`?job=`), on every page that lists jobs. */
export function useOpenJob() {
  const [path, navigate] = useLocation();
  const search = useSearch();
  const openId = paramOf(search, 'job');
  const hrefOf = (id: string | undefined) => `${path}${withParams(search, { job: id })}`;
  // The way back through pages lies in the entry's state, so it moves along.
  const go = (id: string | undefined, replace: boolean) =>
    navigate(hrefOf(id), { replace, state: window.history.state as unknown });
  return {
    openId,
    hrefOf,
    /** Going from job to job adds no steps to the way back. */
    open: (id: string) => go(id, openId !== undefined),
    close: () => go(undefined, true),
  };
}

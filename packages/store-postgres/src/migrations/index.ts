import { JOBS } from './0001-jobs.js';

export interface Migration {
  readonly version: number;
  readonly what: string;
  readonly sql: string;
}

/** In order. One that was released is never changed: what comes later is another one. */
export const MIGRATIONS: readonly Migration[] = [{ version: 1, what: 'jobs and their places', sql: JOBS }];

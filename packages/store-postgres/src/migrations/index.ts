import { JOBS } from './0001-jobs.js';

export interface Migration {
  readonly version: number;
  readonly what: string;
  readonly sql: string;
}

/** In order. One that was released is never changed: what comes later is another one. */
export const MIGRATIONS: readonly Migration[] = [{ version: 1, what: 'jobs and their places', sql: JOBS }];

/** What the store makes in its schema that other tables, views and sequences could be in the way of. */
export const MADE_NAMES: readonly string[] = [
  'migration',
  ...MIGRATIONS.flatMap(({ sql }) =>
    [...sql.matchAll(/create (?:table|sequence) hf\.(\w+)/g)].map(([, name]) => name!),
  ),
];

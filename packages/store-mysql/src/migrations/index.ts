import { JOBS } from './0001-jobs.js';

export interface Migration {
  readonly version: number;
  readonly what: string;
  /** Each of them does no harm a second time: the database keeps no several of them together. */
  readonly statements: readonly string[];
}

/** In order. One that was released is never changed: what comes later is another one. */
export const MIGRATIONS: readonly Migration[] = [{ version: 1, what: 'jobs and their places', statements: JOBS }];

/** What the store makes in its schema that other tables and views could be in the way of. */
export const MADE_NAMES: readonly string[] = [
  'migration',
  ...MIGRATIONS.flatMap(({ statements }) =>
    statements.flatMap((text) => /^create table if not exists hf\.(\w+)/.exec(text)?.[1] ?? []),
  ),
];

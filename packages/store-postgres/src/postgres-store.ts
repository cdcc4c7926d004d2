import type { SqlStore } from '@holdfast/sql-store';
import type { PostgresTransaction } from './transactions.js';

/** The jobs in tables of a PostgreSQL database. */
export type PostgresStore = SqlStore<PostgresTransaction>;

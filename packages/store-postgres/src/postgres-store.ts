import type { PlanningStore } from '@holdfast/sql-store';
import type { PostgresTransaction } from './transactions.js';

/** The jobs in tables of a PostgreSQL database. */
export type PostgresStore = PlanningStore<PostgresTransaction>;

import type { SqlStore } from '@holdfast/sql-store';
import type { MysqlTransaction } from './transactions.js';

/** The jobs in tables of a MySQL or MariaDB database. */
export type MysqlStore = SqlStore<MysqlTransaction>;

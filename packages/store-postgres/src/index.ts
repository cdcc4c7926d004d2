export { type MigrateOptions, migratePostgresStore, openPostgresStore, postgresStore } from './open-postgres-store.js';
export type { PostgresConnection, PostgresStoreOptions } from './options.js';
export type { PostgresPool, PostgresPoolClient, PostgresQuery } from './pool.js';
export type { PostgresStore } from './postgres-store.js';

export { type MigrateOptions, migratePostgresStore, openPostgresStore, postgresStore } from './open-postgres-store.js';
export type { PostgresConnection, PostgresStoreOptions } from './options.js';
export type { PostgresPool, PostgresPoolClient, PostgresQuery } from './pool.js';
export type { PostgresStore } from './postgres-store.js';
export {
  type DrizzleSql,
  type DrizzleTransaction,
  drizzleTransaction,
  type KnexTransaction,
  type KyselyTransaction,
  knexTransaction,
  kyselyTransaction,
  type PgClient,
  type PostgresTransaction,
  type PrismaTransaction,
  pgTransaction,
  prismaTransaction,
  type TypeormManager,
  typeormTransaction,
} from './transactions.js';

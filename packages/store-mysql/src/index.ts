export type { MysqlStore } from './mysql-store.js';
export { type MigrateOptions, migrateMysqlStore, mysqlStore, openMysqlStore } from './open-mysql-store.js';
export type { MysqlConnection, MysqlStoreOptions } from './options.js';
export type { MysqlPool, MysqlPoolConnection, MysqlQuery } from './pool.js';
export {
  type DrizzleSql,
  type DrizzleTransaction,
  drizzleTransaction,
  type KnexTransaction,
  type KyselyTransaction,
  knexTransaction,
  kyselyTransaction,
  type Mysql2Connection,
  type MysqlTransaction,
  type MysqlValue,
  mysqlTransaction,
  type PrismaTransaction,
  prismaTransaction,
  type TypeormManager,
  typeormTransaction,
} from './transactions.js';

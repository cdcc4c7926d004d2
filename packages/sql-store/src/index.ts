export { callFailure, type DriverErrors, type Phase, reasonOf } from './call-failure.js';
export type { CommitLook } from './commit-watch.js';
export { COUNTS, type Count, STEP_MS, STEP_ROWS, STEPS } from './counts.js';
export { foreignTables } from './foreign-tables.js';
export { IdleConnections } from './idle-connections.js';
export { NO_STORE } from './job-names.js';
export type { ActRow, AttemptRow, RowOfDetail, RowOfExpiry, RowOfJob, RowOfLease } from './job-rows.js';
export type {
  NumberedRow,
  RequestRow,
  RowOfWhole,
  TableName,
  TableRow,
  WholeRows,
  WholeTables,
  WindowRow,
} from './moving/movable-rows.js';
export { inUse, MovableSqlStore } from './moving/movable-sql-store.js';
export { MoveFailures } from './moving/move-failures.js';
export type { HeldStore, HeldTarget, MovingDatabase, Reach, StoreLooks, Teller } from './moving/moving-database.js';
export type { PauseRow, QueueRow } from './queue-rows.js';
export { repeated } from './repeated.js';
export { inSchema } from './schema-name.js';
export type { SessionConnection, SessionLink, SessionListener } from './session-link.js';
export { silenceMsOf } from './session-link.js';
export { SqlStore } from './sql-store.js';
export type {
  ActedRow,
  ActValues,
  Asked,
  BusyRow,
  ClaimRow,
  CompletedLease,
  DeathRow,
  EventRow,
  ExtendedLease,
  FailedLease,
  HeadRow,
  HolderRow,
  JobPlace,
  KeyRow,
  LeaseKey,
  LocatedRow,
  LookRow,
  MetaRow,
  NameKind,
  NewJobRow,
  NoteRow,
  OverdueRow,
  PieceRow,
  PlacedRow,
  Queries,
  ReleasedLease,
  RowOfFound,
  RowOfNote,
  SettledRow,
  SqlDatabase,
  StatementName,
  Statements,
} from './statements.js';
export { StoreCondition } from './store-condition.js';
export {
  type CheckedSqlOptions,
  checkedSqlConnection,
  checkedSqlOptions,
  LOOK_MS_MIN,
  type SqlConnectionOptions,
  type SqlStoreOptions,
  URL_HINT,
} from './store-options.js';
export type { CallerTransactions, SqlStoreParts } from './store-run.js';
export { answeredIn } from './time-limit.js';

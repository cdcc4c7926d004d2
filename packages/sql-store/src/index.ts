export { callFailure, type DriverErrors, type Phase, reasonOf } from './call-failure.js';
export type { CommitLook } from './commit-watch.js';
export { COUNTS, type Count, STEP_MS, STEPS } from './counts.js';
export type { ActRow, AttemptRow, RowOfDetail, RowOfExpiry, RowOfJob, RowOfLease } from './job-rows.js';
export { repeated } from './repeated.js';
export type { SessionConnection, SessionLink, SessionListener } from './session-link.js';
export { SqlStore } from './sql-store.js';
export type {
  ActedRow,
  Asked,
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
  PauseRow,
  PlacedRow,
  Queries,
  QueueRow,
  ReleasedLease,
  RowOfNote,
  SettledRow,
  SqlDatabase,
  StatementName,
  Statements,
} from './statements.js';
export { StoreCondition } from './store-condition.js';
export type { CallerTransactions, SqlStoreParts } from './store-run.js';

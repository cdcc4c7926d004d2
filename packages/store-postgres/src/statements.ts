import * as acts from './sql/act-on-jobs.js';
import { CLAIM, GONE_READY } from './sql/claim-jobs.js';
import * as deaths from './sql/dead-groups.js';
import { CLONE, ENQUEUE, ENQUEUE_ALIKE, ENQUEUE_KEYED, REPLACE } from './sql/enqueue-jobs.js';
import { EVENTS, LAST_EVENT, LISTEN_ON } from './sql/events.js';
import * as keys from './sql/keys-and-requests.js';
import { KEEP_NOTES, NOTED_LEASES } from './sql/note-attempts.js';
import * as plans from './sql/plans.js';
import { DETAIL, LEASE_EXPIRIES, LEASES } from './sql/read-jobs.js';
import * as queues from './sql/read-queues.js';
import {
  CLOSED,
  END_WHEN_SILENT,
  HOLD_PROCESS,
  LEAD,
  META,
  NEXT_PROCESS,
  OPENED,
  STORAGE,
  TIME,
  TRANSACTION,
  TRANSACTION_STATUS,
} from './sql/session.js';
import { ACK, ACK_WITH_RESULTS, EXTEND, FAIL, LOCATE, RELEASE } from './sql/settle-leases.js';
import * as sweep from './sql/sweep.js';
import { BUSY_WORKERS, CREWS, TELL_WORKERS } from './sql/workers.js';
import { statementsIn } from './statement.js';

const TEXTS = {
  enqueue: ENQUEUE,
  enqueueAlike: ENQUEUE_ALIKE,
  enqueueKeyed: ENQUEUE_KEYED,
  replace: REPLACE,
  clone: CLONE,
  lockNames: keys.LOCK_NAMES,
  keyHolders: keys.KEY_HOLDERS,
  keyWindows: keys.KEY_WINDOWS,
  findRequest: keys.FIND_REQUEST,
  keepRequest: keys.KEEP_REQUEST,
  claim: CLAIM,
  goneReady: GONE_READY,
  ack: ACK,
  ackWithResults: ACK_WITH_RESULTS,
  fail: FAIL,
  release: RELEASE,
  extend: EXTEND,
  locate: LOCATE,
  notedLeases: NOTED_LEASES,
  keepNotes: KEEP_NOTES,
  cancel: acts.CANCEL,
  redrive: acts.REDRIVE,
  runNow: acts.RUN_NOW,
  reprioritise: acts.REPRIORITISE,
  transfer: acts.TRANSFER,
  remove: acts.REMOVE,
  forget: acts.FORGET,
  expireJobs: acts.EXPIRE_JOBS,
  snapshot: plans.SNAPSHOT,
  hasBeen: plans.HAS_BEEN,
  plannedCounts: plans.PLANNED_COUNTS,
  adopt: plans.ADOPT,
  deaths: deaths.DEATHS,
  deathSamples: deaths.DEATH_SAMPLES,
  forgetDeaths: deaths.FORGET_DEATHS,
  tellWorkers: TELL_WORKERS,
  crews: CREWS,
  busyWorkers: BUSY_WORKERS,
  detail: DETAIL,
  leases: LEASES,
  leaseExpiries: LEASE_EXPIRIES,
  queues: queues.QUEUES,
  queuesNamed: queues.QUEUES_NAMED,
  totals: queues.TOTALS,
  fold: queues.FOLD,
  catchUp: deaths.FOLD_DEATHS,
  forgetThroughput: queues.FORGET_THROUGHPUT,
  queueIds: queues.QUEUE_IDS,
  addQueues: queues.ADD_QUEUES,
  pause: queues.PAUSE,
  resume: queues.RESUME,
  look: sweep.LOOK,
  promote: sweep.PROMOTE,
  overdueLeases: sweep.OVERDUE_LEASES,
  endedHeads: sweep.ENDED_HEADS,
  beyondCount: sweep.BEYOND_COUNT,
  beyondAge: sweep.BEYOND_AGE,
  beyondBytes: sweep.BEYOND_BYTES,
  forgetEvents: sweep.FORGET_EVENTS,
  forgetLeaseExpiries: sweep.FORGET_LEASE_EXPIRIES,
  forgetRequests: keys.FORGET_REQUESTS,
  forgetWindows: keys.FORGET_WINDOWS,
  nextProcess: NEXT_PROCESS,
  opened: OPENED,
  endWhenSilent: END_WHEN_SILENT,
  holdProcess: HOLD_PROCESS,
  lead: LEAD,
  closed: CLOSED,
  meta: META,
  time: TIME,
  transaction: TRANSACTION,
  transactionStatus: TRANSACTION_STATUS,
  storage: STORAGE,
  listenOn: LISTEN_ON,
  lastEvent: LAST_EVENT,
  events: EVENTS,
} as const;

/** Every statement of the store whose text is always the same. */
export function storeStatements(schema: string) {
  return statementsIn(TEXTS, schema);
}

export type StoreStatements = ReturnType<typeof storeStatements>;

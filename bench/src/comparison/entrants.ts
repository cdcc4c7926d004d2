import type { Entrant } from './entrant.js';
import { beanstalkd } from './queues/beanstalkd.js';
import { bullmqAlways, bullmqEverySecond, bullmqPostgres, bullmqWithoutAof } from './queues/bullmq.js';
import { graphileWorker } from './queues/graphile-worker.js';
import { holdfastLog, holdfastPostgres } from './queues/holdfast.js';
import { pgBoss } from './queues/pg-boss.js';
import { plainjob, plainjobDurable } from './queues/plainjob.js';
import { sqliteGrouped, sqlitePlain } from './queues/sqlite.js';

/** In the order of the tables. Those on PostgreSQL stand together, so that they run one after the other. */
export const ENTRANTS: readonly Entrant[] = [
  holdfastLog,
  holdfastPostgres,
  pgBoss,
  graphileWorker,
  bullmqPostgres,
  bullmqWithoutAof,
  bullmqEverySecond,
  bullmqAlways,
  beanstalkd,
  sqliteGrouped,
  sqlitePlain,
  plainjobDurable,
  plainjob,
];

/** What all others are compared with, in pairs. */
export const REFERENCE = holdfastLog.name;
/** And those on PostgreSQL with this one too. */
export const POSTGRES_REFERENCE = holdfastPostgres.name;

export type { JobState } from '@holdfast/contract';
export type { HealthListener } from './client/health-report.js';
export type { LogStore } from './client/log-store.js';
export { IsolateEndedError } from './isolation/isolate-ended-error.js';
export type { IsolationOptions } from './isolation/isolated-handlers.js';
export { type LogStoreOptions, openLogStore } from './open-log-store.js';
export {
  type MysqlOutboxConnection,
  type MysqlOutboxPool,
  mysqlOutbox,
  mysqlOutboxTable,
} from './outbox/mysql-outbox.js';
export type { Outbox, OutboxRow, Refusals } from './outbox/outbox.js';
export { OutboxFailedError, OutboxRowRefusedError } from './outbox/outbox-errors.js';
export type { OutboxQueue, OutboxRelay, OutboxRelayOptions } from './outbox/outbox-relay.js';
export { type PgOutboxClient, type PgOutboxPool, pgOutbox, pgOutboxTable } from './outbox/pg-outbox.js';
export type { OutboxStatement, TableOutbox, TableOutboxOptions } from './outbox/table-outbox.js';
export { cancelledRunsOf } from './queue/cancelled-runs.js';
export { innermostCause } from './queue/error-cause.js';
export type { Handler, Handlers, Job, JobContext } from './queue/handler.js';
export type { JobDefaults, JobMap, JobName, JobOptions, JobToEnqueue } from './queue/job-options.js';
export { jsonCodec } from './queue/json-codec.js';
export type { BackoffFunction, Backoffs } from './queue/named-backoff.js';
export type { PayloadCodec } from './queue/payload-codec.js';
export { checkQueue, Queue, type QueueOptions } from './queue/queue.js';
export { richCodec } from './queue/rich-codec.js';
export type { Runaway } from './queue/runaways.js';
export type { AnySchemas, InputSchemas, InputsOf, OutputSchemas, OutputsOf } from './queue/schemas.js';
export type { StoredJob } from './queue/stored-job.js';
export { Worker } from './queue/worker.js';
export type { JobFacts, WorkerEvents, WorkerStep } from './queue/worker-events.js';
export { checkedRun, type WorkerOptions } from './queue/worker-options.js';
export { type StartOutboxRelayOptions, startOutboxRelay } from './start-outbox-relay.js';
export { createWorker, type StartWorkerOptions, startWorker } from './start-worker.js';

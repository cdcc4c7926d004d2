// What handlers and producers need, so that an application installs one package.
export {
  type Backoff,
  CancelJob,
  type Enqueued,
  HoldfastError,
  InvalidArgumentError,
  InvalidDefaultsError,
  InvalidJobError,
  InvalidPayloadError,
  JobAbortedError,
  JobNotCompletedError,
  type JobStore,
  JobTimeoutError,
  PayloadNotJsonError,
  PayloadUnsupportedError,
  RequestMismatchError,
  RetryAfter,
  Snooze,
  StoreClosedError,
  StoreFailedError,
  StoreFullError,
  StoreLockedError,
  UnrecoverableError,
} from '@holdfast/contract';
export {
  type InputsOf,
  type Job,
  type JobDefaults,
  type JobOptions,
  type LogStore,
  mysqlOutbox,
  mysqlOutboxTable,
  type Outbox,
  OutboxFailedError,
  type OutboxRelay,
  OutboxRowRefusedError,
  type OutputsOf,
  type PayloadCodec,
  pgOutbox,
  pgOutboxTable,
  Queue,
  richCodec,
  startOutboxRelay,
  type TableOutbox,
  type WorkerEvents,
} from '@holdfast/core';
export { HoldfastAdminModule } from './admin/admin.module.js';
export type {
  AdminContext,
  AdminEnvironment,
  AdminIdentity,
  HoldfastAdminAsyncOptions,
  HoldfastAdminOptions,
  HoldfastAdminSettings,
} from './admin/admin-options.js';
export { logStore } from './connection/log-store.js';
export type { OpenOptions, StoreSource } from './connection/store-source.js';
export { InjectJob, InjectQueue, InjectStore } from './decorators/inject.decorators.js';
export { OnJobEvent } from './decorators/on-job-event.decorator.js';
export { CurrentJob, JobContext, Payload } from './decorators/parameter.decorators.js';
export { Process } from './decorators/process.decorator.js';
export { Processor } from './decorators/processor.decorator.js';
export {
  type HealthIndicator,
  type HealthLimits,
  type HealthReport,
  HoldfastHealth,
} from './health/holdfast-health.js';
export {
  ConnectionNotFoundError,
  DuplicateHandlerError,
  NoHandlerError,
  NoProcessorError,
  ProcessorOptionError,
  QueueConflictError,
  QueueNotRegisteredError,
  SeveralRootsError,
  StoreTakenOverError,
} from './holdfast.errors.js';
export { HoldfastModule } from './holdfast.module.js';
export {
  getQueueToken,
  getStoreToken,
  HOLDFAST_JOB,
  HOLDFAST_OPTIONS,
  HOLDFAST_STORE,
  type QueueToken,
} from './holdfast.tokens.js';
export type {
  HoldfastAsyncOptions,
  HoldfastOptions,
  HoldfastOptionsFactory,
  NamedQueue,
  OnConnection,
  QueueSettings,
  QueueSettingsFactory,
  RegisterQueueAsyncOptions,
  RegisterQueueOptions,
} from './holdfast-options.js';
export { HoldfastWorkers } from './processor/holdfast-workers.js';
export { HOLDFAST_CONTEXT, type JobArguments, jobArguments } from './processor/job-arguments.js';
export { JobRequest } from './processor/job-scope.js';
export type {
  JobEvents,
  ProcessorFactory,
  ProcessorOptions,
  ProcessorSettings,
  UnhandledName,
} from './processor/processor-metadata.js';
export type { QueueWorkerReport, RunawayHandler } from './processor/queue-worker.js';
export { WorkerHost } from './processor/worker-host.js';
export { type ClassSchemaOptions, classSchema } from './schema/class-schema.js';
export { HoldfastMetrics, type MetricsRegistry } from './telemetry/holdfast-metrics.js';

// What handlers and producers need, so that an application installs one package.
export {
  type Backoff,
  type Enqueued,
  HoldfastError,
  InvalidArgumentError,
  InvalidJobError,
  JobAbortedError,
  type JobStore,
  PayloadNotJsonError,
  StoreClosedError,
  StoreFailedError,
  UnrecoverableError,
} from '@holdfast/contract';
export {
  type Job,
  type JobContext,
  type JobDefaults,
  type JobOptions,
  type PayloadCodec,
  Queue,
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
export { InjectQueue, InjectStore } from './decorators/inject.decorators.js';
export { OnJobEvent } from './decorators/on-job-event.decorator.js';
export { Process } from './decorators/process.decorator.js';
export { Processor } from './decorators/processor.decorator.js';
export {
  DuplicateHandlerError,
  NoHandlerError,
  QueueNotRegisteredError,
  SeveralRootsError,
} from './holdfast.errors.js';
export { HoldfastModule } from './holdfast.module.js';
export { getQueueToken, HOLDFAST_OPTIONS, HOLDFAST_STORE } from './holdfast.tokens.js';
export type {
  HoldfastAsyncOptions,
  HoldfastOptions,
  HoldfastOptionsFactory,
  RegisterQueueOptions,
} from './holdfast-options.js';
export { logStore } from './log-store.js';
export type { ProcessorOptions } from './processor/processor-metadata.js';
export type { StoreSource } from './store-source.js';

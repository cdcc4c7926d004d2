import { type AnySchemas, type Job, type JobContext, type JobDefaults, type PayloadCodec } from '@holdfast/core';
import { type FactoryProvider, type ModuleMetadata, type Provider, type Type } from '@nestjs/common';
import { type StoreSource } from './connection/store-source.js';

export interface HoldfastOptions {
  /** Where the jobs are kept: `logStore({ directory })`, or anything else that opens a `JobStore`. */
  readonly store: StoreSource;
  /** How long the end of the application lets handlers work on before it aborts their signals. Default 10 s. */
  readonly graceMs?: number;
  /** A store that is not open after that long ends the boot. Milliseconds; default 300,000 (5 minutes). */
  readonly openTimeoutMs?: number;
  /**
   * How long the boot waits for another process, or another application of this one, that has the log directory open, such as the one that this
   * one replaces, before it fails. One of this process that never came up gives way at once.
   * Milliseconds; default `graceMs` and 5,000, which is what an end takes; 0: not at all.
   */
  readonly lockWaitMs?: number;
  /**
   * Guards, interceptors, pipes and filters that are global in the application stand around job handlers too. Most are
   * written for requests, and a guard that looks for a user in one would fail every job: hence the default, false.
   */
  readonly globalEnhancers?: boolean;
  /**
   * Called around each job: what it enters before it calls `work` (an `AsyncLocalStorage`, a span) is there in the handler
   * and, afterwards, in the hooks of the job. What it answers is the outcome of the handler.
   */
  readonly around?: (job: Job, context: JobContext, work: () => Promise<unknown>) => Promise<unknown>;
  /**
   * Spans of OpenTelemetry for what is enqueued and for each attempt, joined by the headers of the job. Needs
   * `@opentelemetry/api`. Default: false.
   */
  readonly tracing?: boolean;
}

/** Which store is meant, where an application has several. */
export interface OnConnection {
  /** Default: the connection without a name. */
  readonly connection?: string;
}

/** Made by `useClass` and `useExisting` of `forRootAsync`. */
export interface HoldfastOptionsFactory {
  createHoldfastOptions(): HoldfastOptions | Promise<HoldfastOptions>;
}

/** Exactly one of the three ways to get something from other providers. */
export type FromProviders<Made, Factory> =
  | { readonly useFactory: FactoryProvider<Made>['useFactory']; readonly inject?: FactoryProvider['inject'] }
  | { readonly useClass: Type<Factory> }
  | { readonly useExisting: Type<Factory> };

interface ProvidersAround extends Pick<ModuleMetadata, 'imports'> {
  /** Only for what makes the options: providers that no imported module has. */
  readonly extraProviders?: readonly Provider[];
}

export type HoldfastAsyncOptions = OnConnection &
  ProvidersAround &
  FromProviders<HoldfastOptions, HoldfastOptionsFactory>;

/** What is said about the jobs of a queue, in one place or, the same, in several. */
export interface QueueSettings {
  /** What the store calls the queue, when configuration decides that. Default: its name. */
  readonly queueName?: string;
  /** For every job of the queue that does not say otherwise itself. */
  readonly defaults?: JobDefaults;
  /** Default: JSON. */
  readonly codec?: PayloadCodec;
  /** By job name, of any library that speaks Standard Schema: payloads are checked by producers and before each handler. */
  readonly schemas?: AnySchemas;
}

/** By which name the application knows a queue. */
export interface NamedQueue extends OnConnection {
  readonly name: string;
  /** Injectable in every module, as if each had imported this. Default: false. */
  readonly isGlobal?: boolean;
}

export interface RegisterQueueOptions extends NamedQueue, QueueSettings {}

/** Made by `useClass` and `useExisting` of `registerQueueAsync`. */
export interface QueueSettingsFactory {
  createQueueSettings(): QueueSettings | Promise<QueueSettings>;
}

export type RegisterQueueAsyncOptions = NamedQueue &
  ProvidersAround &
  FromProviders<QueueSettings, QueueSettingsFactory>;

import { type JobDefaults, type PayloadCodec } from '@holdfast/core';
import { type FactoryProvider, type ModuleMetadata, type Type } from '@nestjs/common';
import { type StoreSource } from './store-source.js';

export interface HoldfastOptions {
  /** Where the jobs are kept: `logStore({ directory })`, or anything else that opens a `JobStore`. */
  readonly store: StoreSource;
  /** How long the end of the application lets handlers work on before it aborts their signals. Default 10 s. */
  readonly graceMs?: number;
}

/** Made by `useClass` and `useExisting` of `forRootAsync`. */
export interface HoldfastOptionsFactory {
  createHoldfastOptions(): HoldfastOptions | Promise<HoldfastOptions>;
}

/** Exactly one of the three ways to get options from other providers. */
export type HoldfastAsyncOptions = Pick<ModuleMetadata, 'imports'> &
  (
    | {
        readonly useFactory: FactoryProvider<HoldfastOptions>['useFactory'];
        readonly inject?: FactoryProvider['inject'];
      }
    | { readonly useClass: Type<HoldfastOptionsFactory> }
    | { readonly useExisting: Type<HoldfastOptionsFactory> }
  );

export interface RegisterQueueOptions {
  readonly name: string;
  /** For every job of the queue that does not say otherwise itself. */
  readonly defaults?: JobDefaults;
  /** Default: JSON. */
  readonly codec?: PayloadCodec;
}

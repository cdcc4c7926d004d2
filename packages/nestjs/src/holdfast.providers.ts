import { InvalidArgumentError, type JobStore } from '@holdfast/contract';
import { type Provider } from '@nestjs/common';
import { DiscoveryService } from '@nestjs/core';
import { SeveralRootsError } from './holdfast.errors.js';
import { getQueueToken, HOLDFAST_OPTIONS, HOLDFAST_ROOT, HOLDFAST_STORE } from './holdfast.tokens.js';
import {
  type HoldfastAsyncOptions,
  type HoldfastOptions,
  type HoldfastOptionsFactory,
  type RegisterQueueOptions,
} from './holdfast-options.js';
import { ProcessorExplorer } from './processor/processor-explorer.js';
import { QueueWorkers } from './processor/queue-workers.js';
import { QueueRegistration, QueueRegistry } from './queue-registry.js';
import { StoreAnnouncer } from './store-announcer.js';
import { StoreCloser } from './store-closer.js';

export const rootProviders: readonly Provider[] = [
  {
    provide: HOLDFAST_STORE,
    useFactory: openStore,
    inject: [HOLDFAST_OPTIONS, DiscoveryService],
  },
  {
    provide: QueueRegistry,
    useFactory: (store: JobStore, discovery: DiscoveryService) => new QueueRegistry(store, registrations(discovery)),
    inject: [HOLDFAST_STORE, DiscoveryService],
  },
  { provide: HOLDFAST_ROOT, useExisting: QueueRegistry },
  ProcessorExplorer,
  QueueWorkers,
  StoreAnnouncer,
  StoreCloser,
];

export function optionsProvider(options: HoldfastOptions): Provider {
  return { provide: HOLDFAST_OPTIONS, useValue: options };
}

export function asyncOptionsProviders(options: HoldfastAsyncOptions): Provider[] {
  if ('useFactory' in options) {
    return [{ provide: HOLDFAST_OPTIONS, useFactory: options.useFactory, inject: options.inject ?? [] }];
  }
  const factory = 'useClass' in options ? options.useClass : options.useExisting;
  const provider = {
    provide: HOLDFAST_OPTIONS,
    useFactory: (made: HoldfastOptionsFactory) => made.createHoldfastOptions(),
    inject: [factory],
  };
  return 'useClass' in options ? [options.useClass, provider] : [provider];
}

/** The registration is a provider of its own, so that it can be found before any queue is made. */
export function queueProviders(options: RegisterQueueOptions): Provider[] {
  return [
    { provide: `HoldfastQueueRegistration(${options.name})`, useValue: new QueueRegistration(options) },
    {
      provide: getQueueToken(options.name),
      useFactory: (registry: QueueRegistry) => registry.queue(options),
      inject: [HOLDFAST_ROOT],
    },
  ];
}

/** @throws SeveralRootsError, InvalidArgumentError, and what the store throws. Nothing is open then. */
function openStore(options: Partial<HoldfastOptions> | undefined, discovery: DiscoveryService): Promise<JobStore> {
  const roots = discovery.getProviders().filter(({ token }) => token === HOLDFAST_ROOT).length;
  if (roots > 1) throw new SeveralRootsError(roots);
  const store = options?.store;
  if (typeof store?.open !== 'function') {
    throw new InvalidArgumentError(
      'store of HoldfastModule',
      store,
      "what opens a store, such as logStore({ directory: 'data/queue' })",
    );
  }
  return store.open();
}

function registrations(discovery: DiscoveryService): QueueRegistration[] {
  return discovery
    .getProviders()
    .map(({ instance }) => instance)
    .filter((instance) => instance instanceof QueueRegistration);
}

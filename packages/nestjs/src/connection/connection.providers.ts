import { type JobStore } from '@holdfast/contract';
import { type Provider } from '@nestjs/common';
import { DiscoveryService, ModulesContainer } from '@nestjs/core';
import { checkOptions, TEXT } from '../checked-options.js';
import { FROM_PROVIDERS, providersOf } from '../from-providers.js';
import { SeveralRootsError } from '../holdfast.errors.js';
import { connectionToken, DEFAULT_CONNECTION, getStoreToken, optionsToken } from '../holdfast.tokens.js';
import { type HoldfastAsyncOptions, type HoldfastOptions } from '../holdfast-options.js';
import { checkProcessorClass } from '../processor/processor-settings.js';
import { QueueRegistration } from '../queue/queue-registration.js';
import { checkSettings } from '../queue/queue-settings.js';
import { placeOfProvider } from '../queue/registration-place.js';
import { SURROUNDINGS, type Surroundings } from '../surroundings.js';
import { startTracing } from '../telemetry/tracing.js';
import { BootStores } from './boot-stores.js';
import { Connection, connectionLogger } from './connection.js';
import { openStore } from './open-store.js';
import { StoreAnnouncer } from './store-announcer.js';
import { StoreCloser } from './store-closer.js';
import { StorePlace } from './store-place.js';

/** What `forRoot` brings: the store, which is opened first and closed last, and the queues in it. */
export function connectionProviders(name: string | undefined): Provider[] {
  return [
    {
      provide: getStoreToken(name),
      useFactory: (
        options: HoldfastOptions,
        discovery: DiscoveryService,
        modules: ModulesContainer,
        surroundings?: Surroundings,
      ) => {
        checkOnly(name, discovery);
        checkBeforeOpening(discovery);
        const stores = BootStores.of(modules);
        if (surroundings !== undefined) return stores.add(surroundings.openStore(name ?? DEFAULT_CONNECTION));
        const place = new StorePlace(options?.store?.location, stores);
        return stores.add(openStore(options, place, connectionLogger(name)), place);
      },
      inject: [optionsToken(name), DiscoveryService, ModulesContainer, { token: SURROUNDINGS, optional: true }],
    },
    {
      provide: connectionToken(name),
      useFactory: (
        store: JobStore,
        options: HoldfastOptions,
        discovery: DiscoveryService,
        modules: ModulesContainer,
        surroundings?: Surroundings,
      ): Promise<Connection> => {
        const placeOf = (registration: QueueRegistration) => placeOfProvider(modules, registration);
        const connection = new Connection(name, store, options, BootStores.of(modules), placeOf, surroundings);
        return fill(connection, registrations(discovery, name));
      },
      inject: [
        getStoreToken(name),
        optionsToken(name),
        DiscoveryService,
        ModulesContainer,
        { token: SURROUNDINGS, optional: true },
      ],
    },
    { provide: StoreAnnouncer, useFactory: StoreAnnouncer.of, inject: [connectionToken(name)] },
    { provide: StoreCloser, useFactory: StoreCloser.of, inject: [connectionToken(name)] },
  ];
}

export function optionsProviders(options: HoldfastAsyncOptions): Provider[] {
  const place = 'HoldfastModule.forRootAsync';
  checkOptions(place, options, { connection: TEXT, ...FROM_PROVIDERS });
  return providersOf(place, optionsToken(options.connection), options, 'createHoldfastOptions');
}

/** @throws SeveralRootsError before anything is opened. */
function checkOnly(name: string | undefined, discovery: DiscoveryService): void {
  const roots = discovery.getProviders().filter(({ token }) => token === connectionToken(name)).length;
  if (roots > 1) throw new SeveralRootsError(roots, name);
}

/** What is known before any factory has answered: with a mistake in it nothing is opened or written. */
function checkBeforeOpening(discovery: DiscoveryService): void {
  for (const { name, settings } of allRegistrations(discovery))
    if (settings !== undefined) checkSettings(name, settings);
  for (const { metatype } of discovery.getProviders()) {
    if (typeof metatype === 'function') checkProcessorClass(metatype);
  }
}

async function fill(connection: Connection, registered: readonly QueueRegistration[]): Promise<Connection> {
  try {
    for (const registration of registered) connection.queues.expect(registration);
    connection.surroundings?.meet(connection);
    if (connection.options.tracing) await trace(connection);
    return connection;
  } catch (error) {
    return connection.refuse(error);
  }
}

async function trace(connection: Connection): Promise<void> {
  const { onEnqueue, around } = await startTracing();
  connection.interceptEnqueue(onEnqueue);
  connection.putAround(around);
}

function registrations(discovery: DiscoveryService, connection: string | undefined): QueueRegistration[] {
  return allRegistrations(discovery).filter((registration) => registration.isOf(connection));
}

function allRegistrations(discovery: DiscoveryService): QueueRegistration[] {
  return discovery
    .getProviders()
    .map(({ instance }): unknown => instance)
    .filter((instance) => instance instanceof QueueRegistration);
}

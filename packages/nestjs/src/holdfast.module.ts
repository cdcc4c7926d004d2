import { checkKeys } from '@holdfast/contract/rules';
import { type DynamicModule, Module, type Provider } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { checkOptions, TEXT } from './checked-options.js';
import { connectionProviders, optionsProviders } from './connection/connection.providers.js';
import { connectionToken, getStoreToken, optionsToken } from './holdfast.tokens.js';
import {
  type HoldfastAsyncOptions,
  type HoldfastOptions,
  type OnConnection,
  type RegisterQueueAsyncOptions,
  type RegisterQueueOptions,
} from './holdfast-options.js';
import { HoldfastWorkersModule } from './processor/holdfast-workers.module.js';
import { asyncQueueProviders, type QueueProviders, queueProviders } from './queue/queue.providers.js';

type Imports = NonNullable<DynamicModule['imports']>;

/**
 * Queues that survive crashes: in the root module `forRoot` or `forRootAsync`, once a store, and `registerQueue` or
 * `registerQueueAsync` in each module that uses a queue.
 */
@Module({})
export class HoldfastModule {
  /**
   * Opens the store while the application boots; the boot fails if it cannot be opened. Visible in all modules. Call
   * `app.enableShutdownHooks()` so that signals end the application in order, or end it with `app.close()`.
   *
   * An application with several stores calls it for each and names them: `connection: 'reports'`.
   */
  static forRoot(given: HoldfastOptions & OnConnection): DynamicModule {
    checkKeys('HoldfastModule.forRoot', given);
    const { connection, ...options } = given;
    return root(connection, [{ provide: optionsToken(connection), useValue: options }], []);
  }

  /** The same with options that come from other providers: `useFactory`, `useClass` or `useExisting`. */
  static forRootAsync(options: HoldfastAsyncOptions): DynamicModule {
    const made = optionsProviders(options);
    const { connection, imports = [], extraProviders = [] } = options;
    return root(connection, [...extraProviders, ...made], imports);
  }

  /**
   * Makes the queues injectable in the module that imports it. Any number of modules may register a queue: they share
   * it. What they say about it has to agree, or the boot fails and names them.
   */
  static registerQueue(...queues: RegisterQueueOptions[]): DynamicModule {
    return registration(queues.map(queueProviders), []);
  }

  /** The same with settings that come from other providers: `useFactory`, `useClass` or `useExisting`. */
  static registerQueueAsync(...queues: RegisterQueueAsyncOptions[]): DynamicModule {
    return registration(
      queues.map(asyncQueueProviders),
      queues.flatMap(({ imports = [] }) => imports),
    );
  }
}

function root(connection: string | undefined, options: readonly Provider[], imports: Imports): DynamicModule {
  checkOptions('HoldfastModule.forRoot', { connection }, { connection: TEXT });
  return {
    module: HoldfastModule,
    global: true,
    imports: [DiscoveryModule, HoldfastWorkersModule, ...imports],
    providers: [...options, ...connectionProviders(connection)],
    exports: [getStoreToken(connection), optionsToken(connection), connectionToken(connection)],
  };
}

/**
 * Global queues live in a module of their own, since a module is global as a whole. Nest makes every module import that one, so it could not
 * tell who registers them: that is said here.
 */
function registration(queues: readonly QueueProviders[], imports: Imports): DynamicModule {
  const global = queues.filter(({ isGlobal }) => isGlobal);
  const own = moduleOf(
    queues.filter(({ isGlobal }) => !isGlobal),
    imports,
  );
  const here = { ...own, providers: [...own.providers, ...queues.map(({ registration }) => registration)] };
  if (global.length === 0) return here;
  return { ...here, imports: [...imports, { ...moduleOf(global, imports), global: true }] };
}

function moduleOf(queues: readonly QueueProviders[], imports: Imports) {
  return {
    module: HoldfastModule,
    imports,
    providers: queues.flatMap(({ providers }) => providers),
    exports: queues.map(({ token }) => token),
  };
}

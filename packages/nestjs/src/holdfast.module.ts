import { type DynamicModule, Module, type Provider } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { asyncOptionsProviders, optionsProvider, queueProviders, rootProviders } from './holdfast.providers.js';
import { getQueueToken, HOLDFAST_ROOT, HOLDFAST_STORE } from './holdfast.tokens.js';
import { type HoldfastAsyncOptions, type HoldfastOptions, type RegisterQueueOptions } from './holdfast-options.js';

/**
 * Queues that survive crashes, in the root module once `forRoot` or `forRootAsync`, and `registerQueue` in each module
 * that uses a queue.
 */
@Module({})
export class HoldfastModule {
  /**
   * Opens the store while the application boots; the boot fails if it cannot be opened. Visible in all modules. Call
   * `app.enableShutdownHooks()` so that signals end the application in order, or end it with `app.close()`.
   */
  static forRoot(options: HoldfastOptions): DynamicModule {
    return root([optionsProvider(options)], []);
  }

  /** The same with options that come from other providers: `useFactory`, `useClass` or `useExisting`. */
  static forRootAsync(options: HoldfastAsyncOptions): DynamicModule {
    return root(asyncOptionsProviders(options), options.imports ?? []);
  }

  /**
   * Makes the queues injectable in the module that imports it. Any number of modules may register a queue: they share
   * it.
   */
  static registerQueue(...queues: RegisterQueueOptions[]): DynamicModule {
    return {
      module: HoldfastModule,
      providers: queues.flatMap(queueProviders),
      exports: queues.map(({ name }) => getQueueToken(name)),
    };
  }
}

function root(options: Provider[], imports: NonNullable<DynamicModule['imports']>): DynamicModule {
  return {
    module: HoldfastModule,
    global: true,
    imports: [DiscoveryModule, ...imports],
    providers: [...options, ...rootProviders],
    exports: [HOLDFAST_STORE, HOLDFAST_ROOT],
  };
}

import { type DynamicModule, Module } from '@nestjs/common';
import { HOLDFAST_OPTIONS, HOLDFAST_STORE } from './holdfast.tokens.js';
import type { HoldfastOptions } from './holdfast-options.js';

@Module({})
export class HoldfastModule {
  /** Opens the store of the application. Import it once, in the root module; its providers are visible everywhere. */
  static forRoot(options: HoldfastOptions): DynamicModule {
    return {
      module: HoldfastModule,
      global: true,
      providers: [
        { provide: HOLDFAST_OPTIONS, useValue: options },
        {
          provide: HOLDFAST_STORE,
          useFactory: (given: HoldfastOptions) => given.store.open(),
          inject: [HOLDFAST_OPTIONS],
        },
      ],
      exports: [HOLDFAST_STORE],
    };
  }
}

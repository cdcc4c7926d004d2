import { type DynamicModule, Global, Module } from '@nestjs/common';
import { SURROUNDINGS } from '../surroundings.js';
import { HoldfastTesting } from './holdfast-testing.js';
import { HOLDFAST_TESTING_OPTIONS, type HoldfastTestingOptions } from './holdfast-testing-options.js';
import { TestSurroundings } from './test-surroundings.js';

/**
 * Imported beside the application's modules, it puts stores in memory and a clock that stands still in the place of those that
 * `HoldfastModule.forRoot` names, for all connections. Everything else is the application's own. `HoldfastTesting` is injected, or
 * got from the testing module, to let the workers work.
 */
@Global()
@Module({
  providers: [TestSurroundings, HoldfastTesting, { provide: SURROUNDINGS, useExisting: TestSurroundings }],
  exports: [HoldfastTesting, SURROUNDINGS],
})
export class HoldfastTestingModule {
  static forRoot(options: HoldfastTestingOptions): DynamicModule {
    return {
      module: HoldfastTestingModule,
      providers: [{ provide: HOLDFAST_TESTING_OPTIONS, useValue: options }],
    };
  }
}

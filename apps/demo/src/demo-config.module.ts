import { type DynamicModule, Module } from '@nestjs/common';
import { type DemoConfig } from './demo-config.js';

/** Injects the DemoConfig, which is an interface and so cannot be its own token. */
export const DEMO_CONFIG = Symbol('DemoConfig');

@Module({})
export class DemoConfigModule {
  static with(config: DemoConfig): DynamicModule {
    return {
      module: DemoConfigModule,
      global: true,
      providers: [{ provide: DEMO_CONFIG, useValue: config }],
      exports: [DEMO_CONFIG],
    };
  }
}

import { type FactoryProvider, type InjectionToken, type Provider, type Type } from '@nestjs/common';
import { type FromProviders } from './holdfast-options.js';

/** The providers behind `useFactory`, `useClass` and `useExisting`: under `token` is what they make. */
export function providersOf<Made, Factory extends object>(
  token: InjectionToken,
  options: FromProviders<Made, Factory>,
  create: (factory: Factory) => Made | Promise<Made>,
): Provider[] {
  if ('useFactory' in options) {
    return [{ provide: token, useFactory: options.useFactory, inject: options.inject ?? [] }];
  }
  const factory: Type<Factory> = 'useClass' in options ? options.useClass : options.useExisting;
  const made: FactoryProvider<Made> = { provide: token, useFactory: create, inject: [factory] };
  return 'useClass' in options ? [options.useClass, made] : [made];
}

import { InvalidArgumentError } from '@holdfast/contract';
import { type FactoryProvider, type InjectionToken, type Provider, type Type } from '@nestjs/common';
import { CHECKED_ELSEWHERE, FUNCTION, LIST, type OptionRule } from './checked-options.js';
import { type FromProviders } from './holdfast-options.js';

/** The options of each call that takes something from other providers. */
export const FROM_PROVIDERS: Readonly<Record<string, OptionRule>> = {
  imports: LIST,
  extraProviders: LIST,
  useFactory: FUNCTION,
  inject: LIST,
  useClass: FUNCTION,
  useExisting: CHECKED_ELSEWHERE,
};

const WAYS = ['useFactory', 'useClass', 'useExisting'] as const;

/**
 * The providers behind `useFactory`, `useClass` and `useExisting`: under `token` is what they make, a class with the method `create`.
 * @param place The call, for messages.
 * @throws InvalidArgumentError unless there is exactly one of the three
 */
export function providersOf<Made, Create extends string>(
  place: string,
  token: InjectionToken,
  options: FromProviders<Made, Readonly<Record<Create, () => Made | Promise<Made>>>>,
  create: Create,
): Provider[] {
  checkWay(place, options);
  if ('useFactory' in options && options.useFactory !== undefined) {
    return [{ provide: token, useFactory: options.useFactory, inject: options.inject ?? [] }];
  }
  type Factory = Readonly<Record<Create, () => Made | Promise<Made>>>;
  const isOwn = 'useClass' in options && options.useClass !== undefined;
  const factory: Type<Factory> = isOwn ? options.useClass : (options as { useExisting: Type<Factory> }).useExisting;
  const made: FactoryProvider<Made> = {
    provide: token,
    inject: [factory],
    useFactory: (instance: Factory) => {
      if (typeof instance[create] === 'function') return instance[create]();
      throw new InvalidArgumentError(`${create} of what makes the options of ${place}`, instance[create], 'a method');
    },
  };
  return isOwn ? [factory, made] : [made];
}

function checkWay(place: string, options: object): void {
  const given = WAYS.filter((way) => Reflect.get(options, way) !== undefined);
  if (given.length === 1) return;
  throw new InvalidArgumentError(
    `the way to the options of ${place}`,
    given.length === 0 ? 'absent' : given.join(' and '),
    `exactly one of ${WAYS.join(', ')}`,
    'A class that is undefined here is often one of a circle of imports.',
  );
}

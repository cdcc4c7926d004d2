import { InvalidArgumentError } from '@holdfast/contract';

/**
 * A store, and not the promise of one: that would be told of only by the first call, and not in words that lead to the mistake.
 * @throws InvalidArgumentError
 */
export function checkedStore<Store extends object>(store: Store, method: keyof Store): Store {
  if (typeof store?.[method] === 'function') return store;
  throw new InvalidArgumentError('store', store, 'an open store', 'Was its opening awaited?');
}

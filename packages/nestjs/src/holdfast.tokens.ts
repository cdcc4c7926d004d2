/** Injects the application's `JobStore`. */
export const HOLDFAST_STORE = 'HOLDFAST_STORE';

/** Injects what `HoldfastModule.forRoot` or `forRootAsync` was given. */
export const HOLDFAST_OPTIONS = 'HOLDFAST_OPTIONS';

/**
 * Injects the `Queue` of that name, for `overrideProvider`, `useFactory` and tests; classes say `@InjectQueue(name)`.
 */
export function getQueueToken(queue: string): string {
  return `HoldfastQueue(${queue})`;
}

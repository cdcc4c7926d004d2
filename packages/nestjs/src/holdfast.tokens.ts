/** Injects the application's `JobStore`. */
export const HOLDFAST_STORE = 'HOLDFAST_STORE';

/** Injects what `HoldfastModule.forRoot` or `forRootAsync` was given. */
export const HOLDFAST_OPTIONS = 'HOLDFAST_OPTIONS';

/**
 * Injects the application's `QueueRegistry`. Nest prints the token of what it cannot find, so it names what brings it:
 * whoever forgot the call reads it in the failed boot.
 */
export const HOLDFAST_ROOT = 'HoldfastModule.forRoot({ store })';

/**
 * Injects the `Queue` of that name, for `overrideProvider`, `useFactory` and tests; classes say `@InjectQueue(name)`. It too is
 * the call that brings it.
 */
export function getQueueToken(queue: string): string {
  return `HoldfastModule.registerQueue({ name: '${queue}' })`;
}

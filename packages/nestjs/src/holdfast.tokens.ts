import { type Queue } from '@holdfast/core';
import { type Type } from '@nestjs/common';

/** What a store is called where nobody names it. */
export const DEFAULT_CONNECTION = 'default';

/** Injects the application's `JobStore`; that of a named connection: `getStoreToken(connection)`. */
export const HOLDFAST_STORE = 'HOLDFAST_STORE';

/** Injects what `HoldfastModule.forRoot` or `forRootAsync` was given for the connection without a name. */
export const HOLDFAST_OPTIONS = 'HOLDFAST_OPTIONS';

/**
 * Injects the job that a class is made for: whoever injects it is made anew for each job, and so is who injects that.
 * `undefined` where it is made for a request instead.
 */
export const HOLDFAST_JOB = 'HOLDFAST_JOB';

/** Injects the `JobStore` of a connection. */
export function getStoreToken(connection?: string): string {
  return named(HOLDFAST_STORE, connection);
}

export function optionsToken(connection?: string): string {
  return named(HOLDFAST_OPTIONS, connection);
}

/**
 * Injects a `Connection`. Nest prints the token of what it cannot find, so it names what brings it: whoever forgot the
 * call reads it in the failed boot.
 */
export function connectionToken(connection?: string): string {
  return `HoldfastModule.forRoot({ ${isDefault(connection) ? '' : `connection: '${connection}', `}store })`;
}

/** A text. `app.get(token)` answers a `Queue<Jobs>`, which is what the rest of the type is for. */
export type QueueToken<Jobs extends object> = string & Type<Queue<Jobs>>;

/**
 * Injects the `Queue` of that name, for `overrideProvider`, `useFactory` and tests; classes say `@InjectQueue(name)`.
 * It too is the call that brings it.
 */
export function getQueueToken<Jobs extends object = Record<string, unknown>>(
  queue: string,
  connection?: string,
): QueueToken<Jobs> {
  const options = isDefault(connection) ? `name: '${queue}'` : `name: '${queue}', connection: '${connection}'`;
  // Nest takes texts for tokens; only the compiler sees the class.
  return `HoldfastModule.registerQueue({ ${options} })` as QueueToken<Jobs>;
}

function named(token: string, connection: string | undefined): string {
  return isDefault(connection) ? token : `${token}(${connection})`;
}

function isDefault(connection: string | undefined): boolean {
  return connection === undefined || connection === DEFAULT_CONNECTION;
}

import { type LogStoreOptions, openLogStore } from '@holdfast/core';
import { type StoreSource } from './store-source.js';

/**
 * Keeps the jobs in an append-only log in a directory of this machine, which one process at a time may open. A
 * directory that is held by another process, damaged or not writable ends the boot with an error that names it and says
 * what to do.
 */
export function logStore(options: LogStoreOptions): StoreSource {
  return {
    location: String(options.directory),
    open: ({ timeoutMs }) => openLogStore({ openTimeoutMs: timeoutMs, ...options }),
  };
}

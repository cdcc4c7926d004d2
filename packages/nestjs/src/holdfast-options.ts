import type { StoreSource } from './store-source.js';

export interface HoldfastOptions {
  /** Where the jobs are kept: `logStore({ directory })`, or anything else that opens a `JobStore`. */
  readonly store: StoreSource;
}

import type { Clock, Random, RetentionOptions } from '@holdfast/contract';

export interface MemoryStoreOptions {
  readonly clock: Clock;
  readonly random: Random;
  /** How many jobs that came to an end are kept, and for how long. */
  readonly retention?: RetentionOptions;
  /**
   * For tests of an application whose own store is in its database: `transaction` is not refused but left alone, and what is asked for is done at
   * once, whatever becomes of the transaction. Default: false.
   */
  readonly ignoresTransactions?: boolean;
}

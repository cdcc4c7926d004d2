import type { AckItem, Clock, FailItem, JobStore, LeasedJob, ReleaseItem, SettleAnswer } from '@holdfast/contract';
import { type Outcome, toJobError } from './outcome.js';
import { SettleBatch } from './settle-batch.js';

export interface SettlementOptions {
  readonly store: Pick<JobStore, 'ack' | 'fail' | 'release'>;
  readonly clock: Clock;
  readonly workerName: string;
  /** How many calls of each kind may be under way at a time. */
  readonly callsMax: number;
  readonly stopped: AbortSignal;
  readonly onRetry: (error: unknown) => void;
}

/** Tells the store how attempts ended. */
export class Settlement {
  readonly #acks: SettleBatch<AckItem>;
  readonly #fails: SettleBatch<FailItem>;
  readonly #releases: SettleBatch<ReleaseItem>;

  constructor({ store, ...shared }: SettlementOptions) {
    this.#acks = new SettleBatch({ ...shared, settle: (items) => store.ack(items), bytesOf: resultBytesMax });
    this.#fails = new SettleBatch({ ...shared, settle: (items) => store.fail(items) });
    this.#releases = new SettleBatch({ ...shared, settle: (items) => store.release(items) });
  }

  settle({ id, token }: LeasedJob, outcome: Outcome): Promise<SettleAnswer> {
    switch (outcome.kind) {
      case 'completed':
        return this.#acks.settle(outcome.result === undefined ? { id, token } : { id, token, result: outcome.result });
      case 'failed':
        // biome-ignore lint/suspicious/noThenProperty: a word of the contract, never a function.
        return this.#fails.settle({ id, token, error: toJobError(outcome.thrown), then: outcome.next });
      case 'cancelled':
        // biome-ignore lint/suspicious/noThenProperty: a word of the contract, never a function.
        return this.#fails.settle({ id, token, error: toJobError(outcome.thrown), then: 'cancel' });
      case 'released':
        return this.#releases.settle(
          outcome.delayMs === undefined ? { id, token } : { id, token, delayMs: outcome.delayMs },
        );
    }
  }
}

/** Counted roughly, and at most: no UTF-16 unit has more bytes in UTF-8. */
function resultBytesMax({ result }: AckItem): number {
  return 3 * (result?.length ?? 0);
}

import { type Clock, type SettleAnswer, StoreFailedError, WorkerClosedError } from '@holdfast/contract';
import { invariant } from '../invariant.js';
import { LIMITS } from '../limits.js';
import { pause, retryPauseMs } from './retry-pause.js';

export interface SettleBatchOptions<Item> {
  readonly settle: (items: readonly Item[]) => Promise<SettleAnswer[]>;
  /** Bytes of an item that count against what one call may carry, or more. Default: none. */
  readonly bytesOf?: (item: Item) => number;
  readonly clock: Clock;
  readonly workerName: string;
  /** How many calls may be under way at a time. */
  readonly callsMax: number;
  /** Aborting gives up retries. */
  readonly stopped: AbortSignal;
  readonly onRetry: (error: unknown) => void;
}

interface Waiting<Item> {
  readonly item: Item;
  readonly answer: (answer: SettleAnswer) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Ends attempts in batches: as many calls are under way as there may be, and the next takes all that came meanwhile, so a lone item
 * goes at once and a crowd shares calls. A call that the store failed is repeated until the store answers: settling
 * twice under one token is harmless, and if the lease was lost with the store the answer is `stale`.
 */
export class SettleBatch<Item> {
  readonly #options: SettleBatchOptions<Item>;
  #waiting: Waiting<Item>[] = [];
  #senders = 0;

  constructor(options: SettleBatchOptions<Item>) {
    this.#options = options;
  }

  /**
   * @throws What the store throws, but for a failed store: that is waited out until the worker stops
   * (WorkerClosedError).
   */
  settle(item: Item): Promise<SettleAnswer> {
    return new Promise((answer, reject) => {
      this.#waiting.push({ item, answer, reject });
      if (this.#senders === this.#options.callsMax) return;
      this.#senders++;
      queueMicrotask(() => void this.#sendAll());
    });
  }

  async #sendAll(): Promise<void> {
    while (this.#waiting.length > 0) {
      const count = this.#countOfCall();
      const batch = this.#waiting.slice(0, count);
      this.#waiting = this.#waiting.slice(count);
      await this.#send(batch);
    }
    this.#senders--;
  }

  /** How many of those that wait one call may carry: a store refuses all of one that is too large. */
  #countOfCall(): number {
    const { bytesOf } = this.#options;
    const countMax = Math.min(this.#waiting.length, LIMITS.settleItemsMax);
    if (bytesOf === undefined) return countMax;
    let bytes = 0;
    for (let count = 0; count < countMax; count++) {
      bytes += bytesOf(this.#waiting[count]!.item);
      if (count > 0 && bytes > LIMITS.settleBytesMax) return count;
    }
    return countMax;
  }

  async #send(batch: readonly Waiting<Item>[]): Promise<void> {
    try {
      const answers = await this.#untilAnswered(batch.map(({ item }) => item));
      invariant(answers.length === batch.length, 'a store answers each item of a batch');
      for (const [index, { answer }] of batch.entries()) answer(answers[index]!);
    } catch (error) {
      for (const { reject } of batch) reject(error);
    }
  }

  async #untilAnswered(items: readonly Item[]): Promise<SettleAnswer[]> {
    const { settle, clock, stopped, onRetry, workerName } = this.#options;
    for (let failures = 1; ; failures++) {
      if (stopped.aborted) throw new WorkerClosedError(workerName);
      try {
        return await settle(items);
      } catch (error) {
        if (!(error instanceof StoreFailedError)) throw error;
        onRetry(error);
      }
      await pause(clock, retryPauseMs(failures), stopped);
    }
  }
}

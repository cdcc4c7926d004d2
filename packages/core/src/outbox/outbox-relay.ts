import { type Clock, HoldfastError, InvalidArgumentError } from '@holdfast/contract';
import { checkedMs, checkWhole } from '@holdfast/contract/rules';
import { warn } from '../queue/emitter.js';
import type { JobOptions } from '../queue/job-options.js';
import { pause, retryPauseMs } from '../queue/retry-pause.js';
import type { Outbox, OutboxRow, Refusals } from './outbox.js';
import { OutboxFailedError, OutboxRowRefusedError } from './outbox-errors.js';

/** What a relay asks of a queue: any `Queue` will do. */
export interface OutboxQueue {
  readonly name: string;
  enqueue(name: string, payload: unknown, options: JobOptions & { readonly requestId: string }): Promise<unknown>;
}

export interface OutboxRelayOptions {
  readonly queue: OutboxQueue;
  readonly outbox: Outbox;
  /** How often to look without being woken: for what a crash left, and for what other processes wrote. Default: 5 seconds. */
  readonly lookEveryMs?: number;
  /** Most rows in one transaction. Default: 100. */
  readonly rowsMax?: number;
  /** How often rows that were refused are tried again; they are at the start, too. Default: an hour. */
  readonly retryRefusedEveryMs?: number;
  /** Told of each row that is refused, and once of each time that the database or the store fails until it succeeds again. */
  readonly onError: (error: OutboxFailedError | OutboxRowRefusedError) => void;
  readonly clock: Clock;
}

const LOOK_EVERY_MS = 5000;
const ROWS = 100;
const ROWS_MAX = 1000;
const RETRY_REFUSED_EVERY_MS = 3_600_000;
const EVERY_MS_MAX = 86_400_000;

/**
 * Carries jobs from an outbox into a queue, one batch after the other. Any number of relays, in any number of processes, may stand beside each other over
 * one table.
 */
export class OutboxRelay {
  readonly #queue: OutboxQueue;
  readonly #outbox: Outbox;
  readonly #lookEveryMs: number;
  readonly #rowsMax: number;
  readonly #retryRefusedEveryMs: number;
  readonly #onError: OutboxRelayOptions['onError'];
  readonly #clock: Clock;
  #retryRefusedAtMs = 0;
  /** In a row. */
  #failures = 0;
  #woken = false;
  #closed = false;
  #rest = new AbortController();
  #work: Promise<void> = Promise.resolve();

  /** @throws InvalidArgumentError naming the option. */
  static start(options: OutboxRelayOptions): OutboxRelay {
    const relay = new OutboxRelay(options);
    relay.#work = relay.#run();
    return relay;
  }

  private constructor(options: OutboxRelayOptions) {
    const { lookEveryMs = LOOK_EVERY_MS, rowsMax = ROWS, retryRefusedEveryMs = RETRY_REFUSED_EVERY_MS } = options;
    if (typeof options.onError !== 'function') {
      throw new InvalidArgumentError('onError', options.onError, 'a function: nobody else hears of failures');
    }
    checkWhole('rowsMax', rowsMax, 1, ROWS_MAX);
    this.#lookEveryMs = checkedMs('lookEveryMs', lookEveryMs, 1, EVERY_MS_MAX);
    this.#retryRefusedEveryMs = checkedMs('retryRefusedEveryMs', retryRefusedEveryMs, 1, EVERY_MS_MAX);
    this.#rowsMax = rowsMax;
    this.#queue = options.queue;
    this.#outbox = options.outbox;
    this.#onError = options.onError;
    this.#clock = options.clock;
    this.#retryRefusedAtMs = this.#clock.monotonicMs();
  }

  /** There are new rows, which are committed. Looks soon, once, however often it is called meanwhile; never fails. While something is broken it waits as long as before. */
  wake(): void {
    this.#woken = true;
    if (this.#failures === 0) this.#rest.abort();
  }

  /** Resolves when the rows that are being carried are over; the others are left for the next start. The pool is yours to end, after this. */
  close(): Promise<void> {
    this.#closed = true;
    this.#rest.abort();
    return this.#work;
  }

  async #run(): Promise<void> {
    while (!this.#closed) {
      this.#woken = false;
      await this.#carryAll().then(
        () => (this.#failures = 0),
        (error: unknown) => this.#failed(error),
      );
      await this.#restOnce();
    }
  }

  async #carryAll(): Promise<void> {
    if (this.#clock.monotonicMs() >= this.#retryRefusedAtMs) {
      await this.#outbox.retryRefused();
      this.#retryRefusedAtMs = this.#clock.monotonicMs() + this.#retryRefusedEveryMs;
    }
    while (!this.#closed && (await this.#carry()) === this.#rowsMax);
  }

  async #carry(): Promise<number> {
    let refusals: Refusals = new Map();
    const rows = await this.#outbox.carry(this.#rowsMax, async (handed) => {
      refusals = await this.#store(handed);
      return refusals;
    });
    // Only now are they marked, so that each is told once.
    for (const refusal of refusals.values()) this.#tell(refusal);
    return rows;
  }

  /** All at once, so that they share a sync of the log. @throws what the store failed with */
  async #store(rows: readonly OutboxRow[]): Promise<Refusals> {
    const refusals = new Map<OutboxRow, OutboxRowRefusedError>();
    // Every one is over before the transaction is, also when another one has failed.
    const answers = await Promise.allSettled(rows.map((row) => this.#enqueue(row)));
    for (const [index, answer] of answers.entries()) {
      if (answer.status === 'fulfilled') continue;
      if (isFailureOfStore(answer.reason)) throw answer.reason;
      const row = rows[index]!;
      refusals.set(row, new OutboxRowRefusedError(this.#queue.name, row, answer.reason));
    }
    return refusals;
  }

  async #enqueue({ requestId, name, payload, options }: OutboxRow): Promise<void> {
    const value = this.#outbox.codec.decode(payload);
    await this.#queue.enqueue(name, value, { ...readOptions(options), requestId });
  }

  async #restOnce(): Promise<void> {
    if (this.#closed || (this.#woken && this.#failures === 0)) return;
    this.#rest = new AbortController();
    const ms = this.#failures === 0 ? this.#lookEveryMs : retryPauseMs(this.#failures);
    await pause(this.#clock, ms, this.#rest.signal);
  }

  #failed(error: unknown): void {
    this.#failures++;
    if (this.#failures === 1) this.#tell(new OutboxFailedError(this.#queue.name, error));
  }

  #tell(error: OutboxFailedError | OutboxRowRefusedError): void {
    try {
      this.#onError(error);
    } catch (thrown) {
      warn(thrown);
    }
  }
}

/** @throws InvalidArgumentError */
function readOptions(text: string | undefined): object {
  if (text === undefined) return {};
  const options: unknown = JSON.parse(text);
  if (typeof options === 'object' && options !== null && !Array.isArray(options)) return options;
  throw new InvalidArgumentError('options of the row', options, 'an object of job options');
}

/** Then the next row would fare no better. Everything else is about this one job: its names, sizes, options, codec, schema. */
function isFailureOfStore(error: unknown): boolean {
  return error instanceof HoldfastError && (error.outcome === 'unknown' || /^(STORE|LOG)_/.test(error.code));
}

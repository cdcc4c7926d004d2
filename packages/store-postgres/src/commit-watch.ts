import type { Database } from './database.js';
import type { StoreStatements } from './statements.js';

const LOOK_MS_MIN = 10;
const LOOK_MS_MAX = 500;
/** Then whoever waits has found the jobs by polling. */
const WATCH_MS_MAX = 60_000;

/**
 * Waits for the end of transactions of callers, to wake those who wait for their jobs. Nothing is notified in the transaction itself: its commit would take
 * a lock of the whole database.
 */
export class CommitWatch {
  readonly #database: Database;
  readonly #statements: StoreStatements;
  readonly #timers = new Set<NodeJS.Timeout>();

  constructor(database: Database, statements: StoreStatements) {
    this.#database = database;
    this.#statements = statements;
  }

  /** @param transaction its number, as text */
  watch(transaction: string, committed: () => void): void {
    this.#lookIn(LOOK_MS_MIN, transaction, committed, performance.now() + WATCH_MS_MAX);
  }

  stop(): void {
    for (const timer of this.#timers) clearTimeout(timer);
    this.#timers.clear();
  }

  #lookIn(ms: number, transaction: string, committed: () => void, untilMs: number): void {
    const timer = setTimeout(() => {
      this.#timers.delete(timer);
      this.#look(transaction).then(
        (status) => {
          if (status === 'committed') committed();
          if (status === 'in progress' && performance.now() < untilMs) {
            this.#lookIn(Math.min(ms * 2, LOOK_MS_MAX), transaction, committed, untilMs);
          }
        },
        () => {},
      );
    }, ms).unref();
    this.#timers.add(timer);
  }

  async #look(transaction: string): Promise<string | null> {
    const [row] = await this.#database.run<{ status: string | null }>(this.#statements.transactionStatus, [
      transaction,
    ]);
    return row?.status ?? null;
  }
}

import { RunList } from './run-list.js';
import type { RunningJob } from './running-job.js';

/** What runs in a worker, and how much more may. */
export class Slots {
  /** From the claim until the handler is done and the store knows how it ended. */
  readonly runs = new RunList();
  readonly #concurrency: number;
  #handling = 0;
  #waiting: (() => void)[] = [];

  constructor(concurrency: number) {
    this.#concurrency = concurrency;
  }

  /** Handlers at work, also those whose attempt is over: nobody can stop them, so they keep their slot. */
  get handling(): number {
    return this.#handling;
  }

  /**
   * A slot is free once its handler is done, so that settling costs no pause; but no more ends may be unknown to the
   * store than slots.
   */
  get free(): number {
    return Math.min(this.#concurrency - this.#handling, 2 * this.#concurrency - this.runs.size);
  }

  begin(run: RunningJob): void {
    this.runs.add(run);
    this.#handling++;
  }

  handled(): void {
    this.#handling--;
    this.#tell();
  }

  end(run: RunningJob): void {
    this.runs.delete(run);
    this.#tell();
  }

  /** Resolves when a handler or a run ends. */
  changed(): Promise<void> {
    return new Promise((resolve) => {
      this.#waiting.push(resolve);
    });
  }

  async emptied(): Promise<void> {
    while (this.runs.size > 0) await this.changed();
  }

  #tell(): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const resolve of waiting) resolve();
  }
}

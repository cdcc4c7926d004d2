import type { HistoryEvent } from '../history/history-event.js';

/** What a store did while it said that its disk is full. */
export class FullDiskWatch {
  readonly figures = { timesFull: 0, timesFailed: 0, refusedAsFull: 0, settledWhileFull: 0 };
  readonly problems: string[] = [];
  #full = false;
  /** Enqueues that were made while it was full and have no answer yet. */
  readonly #asked = new Set<number>();

  take(event: HistoryEvent): void {
    const { figures } = this;
    switch (event.event) {
      case 'health':
        this.#full = event.status === 'full';
        this.#asked.clear();
        if (this.#full) figures.timesFull++;
        if (event.status === 'failed') figures.timesFailed++;
        break;
      case 'enqueue':
        if (this.#full) this.#asked.add(event.call);
        break;
      case 'enqueued':
        if (this.#asked.has(event.call)) this.problems.push(`Call ${event.call} was stored on a full disk.`);
        break;
      case 'settled':
        if (this.#full) figures.settledWhileFull += event.answers.filter((answer) => answer === 'ok').length;
        break;
      case 'failed':
        if (event.code === 'STORE_FULL') this.#refused(event.call, event.outcome);
        break;
      case 'ended':
        this.#full = false;
        this.#asked.clear();
    }
  }

  #refused(call: number, outcome: string): void {
    this.figures.refusedAsFull++;
    if (outcome !== 'rejected') this.problems.push(`Call ${call} was refused as full, with an ${outcome} outcome.`);
  }
}

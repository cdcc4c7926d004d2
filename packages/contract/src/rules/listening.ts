import type { StoreEvent } from '../store-event.js';

/** One who listens to events: until the signal comes or the caller leaves, be it before the first event was asked for. */
export class Listening {
  isOver = false;
  readonly #signal: AbortSignal | undefined;
  readonly #ended: () => void;

  /** @param ended told once; has to wake whoever waits for the next event */
  constructor(signal: AbortSignal | undefined, ended: () => void) {
    this.#signal = signal;
    this.#ended = ended;
    signal?.addEventListener('abort', this.end, { once: true });
    if (signal?.aborted) this.end();
  }

  readonly end = (): void => {
    if (this.isOver) return;
    this.isOver = true;
    this.#signal?.removeEventListener('abort', this.end);
    this.#ended();
  };

  /** What the caller gets. A generator alone would take notice that its caller leaves only with the next event. */
  over(events: AsyncGenerator<StoreEvent, undefined>): AsyncIterableIterator<StoreEvent> {
    return {
      [Symbol.asyncIterator]() {
        return this;
      },
      next: () => events.next(),
      return: () => {
        this.end();
        return events.return(undefined);
      },
    };
  }
}

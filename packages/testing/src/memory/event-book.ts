import type { StoreEvent, StoreHappening } from '@holdfast/contract';
import { type CheckedEvents, EventBuffer, STORE_LIMITS } from '@holdfast/contract/rules';

const PAGE_EVENTS_MAX = 500;

/** What happened in one run of the store, and who listens. */
export class EventBook {
  readonly #buffer: EventBuffer;
  readonly #now: () => number;
  #ended = false;
  #waiting: (() => void)[] = [];

  /** @param run greater than that of every run before it */
  constructor(run: number, now: () => number) {
    this.#buffer = new EventBuffer(run, STORE_LIMITS.eventsKept);
    this.#now = now;
  }

  readonly record = (happening: StoreHappening): void => {
    this.#buffer.record(happening, this.#now());
    this.#wake();
  };

  end(): void {
    this.#ended = true;
    this.#wake();
  }

  /** From this call on, not from the first `next`. */
  listen(request: CheckedEvents, signal: AbortSignal | undefined): AsyncIterable<StoreEvent> {
    const { after = this.#buffer.cursor } = request;
    return this.#follow({ ...request, after }, signal);
  }

  async *#follow(request: CheckedEvents, signal: AbortSignal | undefined): AsyncGenerator<StoreEvent> {
    const wake = () => this.#wake();
    signal?.addEventListener('abort', wake, { once: true });
    try {
      for (let after = request.after; !this.#ended && !signal?.aborted; ) {
        const { events, cursor } = this.#buffer.read({ ...request, after: after! }, PAGE_EVENTS_MAX, this.#now());
        after = cursor;
        for (const event of events) {
          if (signal?.aborted) return;
          yield event;
        }
        if (events.length === 0) await new Promise<void>((resolve) => this.#waiting.push(resolve));
      }
    } finally {
      signal?.removeEventListener('abort', wake);
    }
  }

  #wake(): void {
    for (const wake of this.#waiting.splice(0)) wake();
  }
}

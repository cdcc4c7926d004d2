import type { StoreEvent, StoreHappening } from '@holdfast/contract';
import { type CheckedEvents, EventBuffer, Listening, STORE_LIMITS } from '@holdfast/contract/rules';

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
    const listening = new Listening(signal, () => this.#wake());
    return listening.over(this.#follow({ ...request, after }, listening));
  }

  async *#follow(request: CheckedEvents, listening: Listening): AsyncGenerator<StoreEvent, undefined> {
    try {
      for (let after = request.after; !this.#ended && !listening.isOver; ) {
        const { events, cursor } = this.#buffer.read({ ...request, after: after! }, PAGE_EVENTS_MAX, this.#now());
        after = cursor;
        for (const event of events) {
          if (listening.isOver) return;
          yield event;
        }
        if (events.length === 0) await new Promise<void>((resolve) => this.#waiting.push(resolve));
      }
    } finally {
      listening.end();
    }
  }

  #wake(): void {
    for (const wake of this.#waiting.splice(0)) wake();
  }
}

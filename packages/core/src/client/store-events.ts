import {
  type EventsRequest,
  type HoldfastError,
  StoreClosedError,
  type StoreEvent,
  StoreFailedError,
} from '@holdfast/contract';
import type { CheckedEvents, EventsPage } from '@holdfast/contract/rules';
import type { EngineEvents } from '../engine/engine-calls.js';

/** Asks the engine once. @returns how to give it up */
export type PullEvents = (
  request: EngineEvents,
  settled: (error: HoldfastError | undefined, page: EventsPage | undefined) => void,
) => () => void;

const WAIT_MS = 30_000;
const BEFORE_ALL = '000000.00000000000';
/** An engine that is lost comes back; the events of meanwhile are a gap. After so many losses in a row somebody has to know. */
const LOSSES_MAX = 3;

/** Pulls events a page at a time; the next page is asked for when the last one was taken, so nothing piles up on this side. */
export class StoreEvents implements AsyncIterable<StoreEvent>, AsyncIterator<StoreEvent> {
  readonly #pull: PullEvents;
  readonly #kinds: CheckedEvents['kinds'];
  readonly #signal: AbortSignal | undefined;
  #after: string | undefined;
  #page: readonly StoreEvent[] = [];
  #taken = 0;
  #losses = 0;
  #ended = false;
  /** Why the iteration ended; told once. */
  #failure: HoldfastError | undefined;
  #giveUp: (() => void) | undefined;
  #asked: Promise<void>;

  /** Listening begins now. */
  constructor({ after, kinds }: CheckedEvents, signal: EventsRequest['signal'], pull: PullEvents) {
    this.#pull = pull;
    this.#kinds = kinds;
    this.#after = after;
    this.#signal = signal;
    signal?.addEventListener('abort', this.#abort, { once: true });
    if (signal?.aborted) this.#end();
    // The first call only says from where on, unless there are events already.
    this.#asked = this.#ended ? Promise.resolve() : this.#ask(0);
  }

  [Symbol.asyncIterator](): AsyncIterator<StoreEvent> {
    return this;
  }

  /** May be called again before it is answered: calls that wait are served in their order. */
  async next(): Promise<IteratorResult<StoreEvent>> {
    for (;;) {
      const asked = this.#asked;
      await asked;
      if (this.#ended) return this.#over();
      const event = this.#page[this.#taken];
      if (event !== undefined) {
        this.#taken++;
        return { done: false, value: event };
      }
      // Of those that found nothing the first asks for all: a second question from the same place would bring the same events again.
      if (this.#asked === asked) this.#asked = this.#ask(WAIT_MS);
    }
  }

  async return(): Promise<IteratorResult<StoreEvent>> {
    this.#failure = undefined;
    this.#end();
    return { done: true, value: undefined };
  }

  #over(): IteratorResult<StoreEvent> {
    const failure = this.#failure;
    this.#failure = undefined;
    if (failure !== undefined) throw failure;
    return { done: true, value: undefined };
  }

  readonly #abort = () => this.#end();

  #end(): void {
    this.#ended = true;
    this.#signal?.removeEventListener('abort', this.#abort);
    this.#giveUp?.();
    this.#giveUp = undefined;
  }

  #ask(waitMs: number): Promise<void> {
    const place = this.#after === undefined ? {} : { after: this.#after };
    const kinds = this.#kinds === undefined ? {} : { kinds: this.#kinds };
    return new Promise((resolve) => {
      const giveUp = this.#pull({ ...place, ...kinds, waitMs }, (error, page) => {
        this.#giveUp = undefined;
        if (page !== undefined) this.#take(page);
        else if (error instanceof StoreClosedError) this.#end();
        else if (!(error instanceof StoreFailedError) || ++this.#losses > LOSSES_MAX) {
          this.#failure = error;
          this.#end();
        } else {
          this.#page = [];
          // Whatever it was that was missed, it is told.
          this.#after ??= BEFORE_ALL;
        }
        resolve();
      });
      this.#giveUp = () => {
        giveUp();
        resolve();
      };
    });
  }

  #take({ events, cursor }: EventsPage): void {
    this.#losses = 0;
    this.#page = events;
    this.#taken = 0;
    this.#after = cursor;
  }
}

import { type JobId, type JobStore, StoreClosedError, type StoreEvent } from '@holdfast/contract';

/** What waiting for the end of a job asks of a store. */
export type EndStore = Pick<JobStore, 'events'>;

const KINDS = ['completed', 'dead', 'cancelled', 'removed'] as const;

/**
 * Wakes those who wait for jobs to end. All of them share one iteration over the events of the store, which lasts as long as
 * somebody waits. A wake-up says no more than: look again.
 */
export class JobEnds {
  readonly #store: EndStore;
  readonly #waiting = new Map<JobId, Set<Waiter>>();
  #listening: AbortController | undefined;

  constructor(store: EndStore) {
    this.#store = store;
  }

  /** Begins to listen for the end of a job. `stop` must follow. @throws what the store's `events` throws */
  listen(id: JobId): Waiter {
    this.#listening ??= this.#begin();
    const waiter = new Waiter(() => this.#stop(id, waiter));
    const waiters = this.#waiting.get(id) ?? new Set();
    this.#waiting.set(id, waiters.add(waiter));
    return waiter;
  }

  #begin(): AbortController {
    const listening = new AbortController();
    const events = this.#store.events?.({ kinds: KINDS, signal: listening.signal });
    if (events !== undefined) void this.#wakeWith(events, listening);
    return listening;
  }

  async #wakeWith(events: AsyncIterable<StoreEvent>, listening: AbortController): Promise<void> {
    let end: unknown = new StoreClosedError();
    try {
      for await (const event of events) this.#wake(event);
    } catch (error) {
      end = error;
    }
    if (this.#listening !== listening) return;
    this.#listening = undefined;
    for (const waiter of this.#all()) waiter.fail(end);
  }

  #wake(event: StoreEvent): void {
    const waiters = event.kind === 'gap' ? this.#all() : 'id' in event ? this.#waiting.get(event.id) : undefined;
    for (const waiter of waiters ?? []) waiter.wake();
  }

  #all(): Waiter[] {
    return [...this.#waiting.values()].flatMap((waiters) => [...waiters]);
  }

  #stop(id: JobId, waiter: Waiter): void {
    const waiters = this.#waiting.get(id);
    waiters?.delete(waiter);
    if (waiters?.size === 0) this.#waiting.delete(id);
    if (this.#waiting.size > 0) return;
    this.#listening?.abort();
    this.#listening = undefined;
  }
}

/** One who waits. A wake-up that comes before `next` is not lost. */
export class Waiter {
  readonly stop: () => void;
  #woken = false;
  #failure: { readonly error: unknown } | undefined;
  #go: (() => void) | undefined;

  constructor(stop: () => void) {
    this.stop = stop;
  }

  wake(): void {
    this.#woken = true;
    this.#go?.();
  }

  fail(error: unknown): void {
    this.#failure = { error };
    this.#go?.();
  }

  /** Resolves with the next wake-up. Rejects when there will be none, or with the reason of the signal. */
  async next(signal: AbortSignal | undefined): Promise<void> {
    signal?.throwIfAborted();
    if (!this.#woken && this.#failure === undefined) await this.#wait(signal);
    signal?.throwIfAborted();
    if (this.#failure !== undefined) throw this.#failure.error;
    this.#woken = false;
  }

  #wait(signal: AbortSignal | undefined): Promise<void> {
    return new Promise((resolve) => {
      const go = () => {
        signal?.removeEventListener('abort', go);
        this.#go = undefined;
        resolve();
      };
      this.#go = go;
      signal?.addEventListener('abort', go);
    });
  }
}

/** Ends as the work does, or with the reason of the signal before that. */
export function orAborted<Value>(work: Promise<Value>, signal: AbortSignal | undefined): Promise<Value> {
  if (signal === undefined) return work;
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason);
    if (signal.aborted) abort();
    else signal.addEventListener('abort', abort);
    const done = () => signal.removeEventListener('abort', abort);
    work.then(resolve, reject).then(done);
  });
}

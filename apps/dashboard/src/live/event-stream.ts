import type { ServerSentEvent } from '@holdfast/contract';

/**
 * One stream a browser, not one a tab: browsers allow only six connections to a server over HTTP/1.1. The tab that holds the lock
 * reads the stream and tells the others; when it is closed the next one takes over. Without the means for that nothing is
 * streamed, and the pages ask by interval as they do anyway.
 */

/** What tabs tell each other. */
export type TabMessage =
  | { readonly kind: 'event'; readonly event: ServerSentEvent }
  /** Every few seconds from the tab that reads, and at each change. */
  | { readonly kind: 'status'; readonly open: boolean };

/** Where events come from; told once that it is over for good. */
export interface EventSourcePort {
  close(): void;
}

export interface SourceListener {
  onOpen(): void;
  /** Broken off; it tries again by itself. */
  onBroken(): void;
  /** The server does not stream: not now, at least. */
  onRefused(): void;
  onEvent(event: ServerSentEvent): void;
}

export interface StreamWorld {
  /** Calls when this tab is the one that reads; what it gets back ends when the tab does. */
  lead(call: () => Promise<void>): void;
  openSource(listener: SourceListener): EventSourcePort;
  post(message: TabMessage): void;
  onMessage(listen: (message: TabMessage) => void): void;
  /** Calls again and again, and answers how to stop. */
  every(ms: number, call: () => void): () => void;
  after(ms: number, call: () => void): void;
  now(): number;
}

const STATUS_MS = 4_000;
const SILENT_MS = 10_000;
const REFUSED_AGAIN_MS = 60_000;

export class EventStream {
  readonly #world: StreamWorld;
  readonly #onEvent: (event: ServerSentEvent) => void;
  readonly #listeners = new Set<() => void>();
  #open = false;
  #heardAtMs = Number.NEGATIVE_INFINITY;

  constructor(world: StreamWorld, onEvent: (event: ServerSentEvent) => void) {
    this.#world = world;
    this.#onEvent = onEvent;
    world.onMessage((message) => this.#hear(message));
    world.every(STATUS_MS, () => this.#notify());
    world.lead(() => this.#read());
  }

  /** Whether events arrive: those who know it need not ask. */
  live(): boolean {
    return this.#open && this.#world.now() - this.#heardAtMs < SILENT_MS;
  }

  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  #read(): Promise<void> {
    this.#openSource();
    this.#world.every(STATUS_MS, () => this.#tell({ kind: 'status', open: this.#open }));
    // For as long as the tab lives.
    return new Promise(() => undefined);
  }

  #openSource(): void {
    const status = (open: boolean) => this.#tell({ kind: 'status', open });
    const source = this.#world.openSource({
      onOpen: () => status(true),
      onBroken: () => status(false),
      onRefused: () => {
        source.close();
        status(false);
        this.#world.after(REFUSED_AGAIN_MS, () => this.#openSource());
      },
      onEvent: (event) => this.#tell({ kind: 'event', event }),
    });
  }

  /** To the other tabs, and to this one. */
  #tell(message: TabMessage): void {
    this.#world.post(message);
    this.#hear(message);
  }

  #hear(message: TabMessage): void {
    this.#heardAtMs = this.#world.now();
    if (message.kind === 'event') this.#onEvent(message.event);
    this.#open = message.kind === 'event' ? true : message.open;
    this.#notify();
  }

  #notify(): void {
    for (const listener of this.#listeners) listener();
  }
}

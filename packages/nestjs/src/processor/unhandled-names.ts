import { type JobStore } from '@holdfast/contract';
import { type UnhandledName } from './processor-metadata.js';

/** For jobs that others enqueued. */
const LOOK_EVERY_MS = 60_000;
const LOOK_JOBS = 200;
/** Names are few; where they are not, somebody makes them up, and hears of the first ones. */
const NAMES_MAX = 100;

/**
 * Finds the names that wait in a queue that is worked on here, though nobody handles them here: at once those that this
 * application enqueues, and when it starts and every minute those among the latest ready jobs.
 */
export class UnhandledNames {
  readonly #queue: string;
  readonly #handled: ReadonlySet<string>;
  readonly #store: Pick<JobStore, 'browse'>;
  readonly #tell: (found: UnhandledName) => void;
  readonly #seen = new Set<string>();
  #timer: NodeJS.Timeout | undefined;

  constructor(
    queue: string,
    handled: readonly string[],
    store: Pick<JobStore, 'browse'>,
    tell: (found: UnhandledName) => void,
  ) {
    this.#queue = queue;
    this.#handled = new Set(handled);
    this.#store = store;
    this.#tell = tell;
  }

  get seen(): string[] {
    return [...this.#seen];
  }

  start(): void {
    if (this.#timer !== undefined) return;
    this.#timer = setInterval(() => void this.look(), LOOK_EVERY_MS).unref();
    void this.look();
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  /** A job of this name was stored. */
  note(name: string): void {
    if (this.#handled.has(name) || this.#seen.has(name) || this.#seen.size >= NAMES_MAX) return;
    this.#seen.add(name);
    this.#tell({ queue: this.#queue, name, handled: [...this.#handled] });
  }

  /** Never rejects: a store that fails is told of by its worker. */
  async look(): Promise<void> {
    try {
      const { rows } = await this.#store.browse({ queue: this.#queue, state: 'ready' }, { limit: LOOK_JOBS });
      for (const { name } of rows) this.note(name);
    } catch {
      // The next look may find it open again.
    }
  }
}

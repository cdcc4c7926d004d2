import type { StoreHealth } from '@holdfast/contract';

export type HealthListener = (health: StoreHealth) => void;

/** The health of a store as last known, and those who want to know when it changes. */
export class HealthReport {
  #health: StoreHealth = { status: 'opening', detail: 'The store is being opened.', reopened: 0 };
  readonly #listeners = new Set<HealthListener>();

  get now(): StoreHealth {
    return this.#health;
  }

  change(next: Omit<StoreHealth, 'reopened'> & { readonly reopened?: number }): void {
    this.#health = { reopened: this.#health.reopened, ...next };
    for (const listener of this.#listeners) tell(listener, this.#health);
  }

  /** @returns how to stop listening */
  onChange(listener: HealthListener): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }
}

/** What a listener throws is its own affair and is reported as an uncaught error, like that of an event listener. */
function tell(listener: HealthListener, health: StoreHealth): void {
  try {
    listener(health);
  } catch (error) {
    process.nextTick(() => {
      throw error;
    });
  }
}

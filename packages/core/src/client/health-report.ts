import type { StoreHealth } from '@holdfast/contract';
import { Listeners } from '@holdfast/contract/rules';

export type HealthListener = (health: StoreHealth) => void;

/** The health of a store as last known, and those who want to know when it changes. */
export class HealthReport {
  #health: StoreHealth = { status: 'opening', detail: 'The store is being opened.', reopened: 0 };
  readonly #listeners = new Listeners<StoreHealth>();

  get now(): StoreHealth {
    return this.#health;
  }

  change(next: Omit<StoreHealth, 'reopened'> & { readonly reopened?: number }): void {
    this.#health = { reopened: this.#health.reopened, ...next };
    this.#listeners.tell(this.#health);
  }

  /** @returns how to stop listening */
  onChange(listener: HealthListener): () => void {
    return this.#listeners.add(listener);
  }
}

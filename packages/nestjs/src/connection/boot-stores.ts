import { type JobStore } from '@holdfast/contract';
import { type StorePlace } from './store-place.js';

const OF_APPLICATIONS = new WeakMap<object, BootStores>();

/**
 * The stores of an application that boots. A boot that fails leaves none of them open: their threads would keep the process alive and
 * their directories locked.
 *
 * Nest tells nobody that it failed by itself (a provider that it does not know, a hook that throws). Then the stores stay open until the
 * process ends, or until another application of it needs a place of theirs: see `giveWay`.
 */
export class BootStores {
  readonly #open = new Map<JobStore, StorePlace | undefined>();
  #failure: { readonly error: unknown } | undefined;
  #isOver = false;
  #isUp = false;

  /** @param application which is the same object for all modules of it */
  static of(application: object): BootStores {
    const known = OF_APPLICATIONS.get(application);
    if (known !== undefined) return known;
    const stores = new BootStores();
    OF_APPLICATIONS.set(application, stores);
    return stores;
  }

  /** @throws what `opening` throws, or what has made the boot fail in the meantime: then what opens is closed again */
  async add(opening: Promise<JobStore>, place?: StorePlace): Promise<JobStore> {
    let store: JobStore;
    try {
      store = await opening;
    } catch (error) {
      place?.leave();
      return this.fail(error);
    }
    this.#open.set(store, place);
    if (this.#failure === undefined) return store;
    await this.#closeAll();
    throw this.#failure.error;
  }

  /** From now on a mistake is that of one module, loaded later, and the others go on. @throws what made the boot fail */
  over(): void {
    this.#check();
    this.#isOver = true;
  }

  /** The application is up: its stores are its own until it closes them. @throws what made the boot fail */
  up(): void {
    this.#check();
    this.#isUp = true;
  }

  /** The application has closed the store. */
  closed(store: JobStore): void {
    this.#open.get(store)?.leave();
    this.#open.delete(store);
  }

  /** Closes all stores, unless the boot is over. @throws the error */
  async fail(error: unknown): Promise<never> {
    if (!this.#isOver) {
      this.#failure ??= { error };
      await this.#closeAll();
    }
    throw error;
  }

  /**
   * Another application of this process needs a place that this one has. If this one never came up, it is taken for one whose boot failed:
   * its stores are closed, and should it boot all the same, it fails with the error. Answers whether that happened.
   */
  async giveWay(error: Error): Promise<boolean> {
    if (this.#isUp || this.#failure !== undefined) return false;
    this.#failure = { error };
    await this.#closeAll();
    return true;
  }

  #check(): void {
    if (this.#failure !== undefined) throw this.#failure.error;
  }

  /** The mistake is what has to be told, not that closing failed too. */
  async #closeAll(): Promise<void> {
    const open = [...this.#open];
    this.#open.clear();
    await Promise.allSettled(open.map(([store]) => store.close()));
    for (const [, place] of open) place?.leave();
  }
}

import { type JobStore } from '@holdfast/contract';

const OF_APPLICATIONS = new WeakMap<object, BootStores>();

/**
 * The stores of an application that boots. A boot that fails leaves none of them open: their threads would keep the process alive and
 * their directories locked.
 */
export class BootStores {
  readonly #open = new Set<JobStore>();
  #failure: { readonly error: unknown } | undefined;
  #isOver = false;

  /** @param application which is the same object for all modules of it */
  static of(application: object): BootStores {
    const known = OF_APPLICATIONS.get(application);
    if (known !== undefined) return known;
    const stores = new BootStores();
    OF_APPLICATIONS.set(application, stores);
    return stores;
  }

  /** @throws what `opening` throws, or what has made the boot fail in the meantime: then what opens is closed again */
  async add(opening: Promise<JobStore>): Promise<JobStore> {
    let store: JobStore;
    try {
      store = await opening;
    } catch (error) {
      return this.fail(error);
    }
    if (this.#isOver) return store;
    this.#open.add(store);
    return this.#failure === undefined ? store : this.fail(this.#failure.error);
  }

  /** From now on a mistake is that of one module, loaded later, and the others go on. */
  over(): void {
    this.#isOver = true;
    this.#open.clear();
  }

  /** Closes all stores, unless the boot is over. @throws the error */
  async fail(error: unknown): Promise<never> {
    this.#failure ??= { error };
    const closing = [...this.#open].map((store) => store.close());
    this.#open.clear();
    // The mistake is what has to be told, not that closing failed too.
    await Promise.allSettled(closing);
    throw error;
  }
}

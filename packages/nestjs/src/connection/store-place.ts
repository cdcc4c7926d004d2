import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type BootStores } from './boot-stores.js';

/** By path: which application of this process has what is there open, or opens it. */
const HOLDERS = new Map<string, BootStores>();

/** Where a store of an application is, as far as its source tells. */
export class StorePlace {
  readonly #path: string | undefined;
  readonly #mine: BootStores;

  constructor(location: unknown, mine: BootStores) {
    this.#path = typeof location === 'string' ? pathOf(location) : undefined;
    this.#mine = mine;
  }

  /** Another application of this process that has it. */
  get holder(): BootStores | undefined {
    const holder = this.#path === undefined ? undefined : HOLDERS.get(this.#path);
    return holder === this.#mine ? undefined : holder;
  }

  /** Before it is opened, so that others know who opens it, and after, when nobody else can have it. */
  take(isOpen: boolean): void {
    if (this.#path !== undefined && (isOpen || !HOLDERS.has(this.#path))) HOLDERS.set(this.#path, this.#mine);
  }

  leave(): void {
    if (this.#path !== undefined && HOLDERS.get(this.#path) === this.#mine) HOLDERS.delete(this.#path);
  }
}

/** Resolved now: a later `process.chdir` does not move what is open. */
function pathOf(location: string): string {
  return URL.canParse(location) && location.startsWith('file:') ? fileURLToPath(location) : resolve(location);
}

import type { StoreHealth } from '@holdfast/contract';

/** Whether the database can be reached, as the last call and the listening connection found it. */
export class StoreCondition {
  readonly #detailOf: (error: unknown) => string;
  #problem: string | undefined;
  #closed = false;
  #reopened = 0;

  /** @param detailOf says in words what an error of the driver means */
  constructor(detailOf: (error: unknown) => string) {
    this.#detailOf = detailOf;
  }

  /** @param error why the database could not be reached; `undefined` when it was */
  readonly reached = (error: unknown): void => {
    if (error === undefined && this.#problem !== undefined) this.#reopened++;
    this.#problem = error === undefined ? undefined : this.#detailOf(error);
  };

  closed(): void {
    this.#closed = true;
  }

  health(): StoreHealth {
    const reopened = this.#reopened;
    if (this.#closed) return { status: 'closed', detail: 'The store was closed. Open a new one to go on.', reopened };
    if (this.#problem === undefined) return { status: 'open', reopened };
    const detail = `${this.#problem} The store connects again by itself as soon as the database answers; nothing that it holds is lost.`;
    return { status: 'failed', detail, reopened };
  }
}

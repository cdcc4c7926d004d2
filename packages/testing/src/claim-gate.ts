import type { ClaimRequest, JobStore, LeasedJob } from '@holdfast/contract';

/** Lets claims through to their stores while something is under way, and holds them back otherwise. */
export class ClaimGate {
  #openers = 0;
  #shut = new AbortController();
  readonly #waiting = new Set<() => void>();

  /** Open until the work has ended; several may overlap. */
  async during<Result>(work: () => Promise<Result>): Promise<Result> {
    if (this.#openers++ === 0) this.#open();
    try {
      return await work();
    } finally {
      // Claims that wait inside a store would get what is enqueued later.
      if (--this.#openers === 0) this.#shut.abort();
    }
  }

  /** Answers as the store does, but waits for as long as it takes. A claim that does not want to wait is never held back. */
  async claim(store: JobStore, request: ClaimRequest): Promise<LeasedJob[]> {
    if ((request.waitMs ?? 0) === 0) return store.claim(request);
    while (!request.signal?.aborted) {
      if (this.#openers === 0) await this.#opened(request.signal);
      else {
        const jobs = await this.#claimUntilShut(store, request);
        if (jobs.length > 0) return jobs;
      }
    }
    return [];
  }

  #open(): void {
    this.#shut = new AbortController();
    for (const go of this.#waiting) go();
  }

  /** Resolves when the gate opens, or when the signal aborts. */
  #opened(signal: AbortSignal | undefined): Promise<void> {
    return new Promise((resolve) => {
      const go = () => {
        this.#waiting.delete(go);
        signal?.removeEventListener('abort', go);
        resolve();
      };
      signal?.addEventListener('abort', go);
      this.#waiting.add(go);
    });
  }

  async #claimUntilShut(store: JobStore, request: ClaimRequest): Promise<LeasedJob[]> {
    const either = new AbortController();
    const abort = () => either.abort();
    const signals = [request.signal, this.#shut.signal];
    for (const signal of signals) signal?.addEventListener('abort', abort);
    try {
      return await store.claim({ ...request, signal: either.signal });
    } finally {
      for (const signal of signals) signal?.removeEventListener('abort', abort);
    }
  }
}

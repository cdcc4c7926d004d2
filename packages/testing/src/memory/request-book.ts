import { type Enqueued, RequestMismatchError } from '@holdfast/contract';
import { STORE_LIMITS as LIMITS } from '@holdfast/contract/rules';

interface Remembered {
  readonly fingerprint: string;
  readonly atMs: number;
  readonly answer: readonly Enqueued[];
}

/** Answers to enqueues with a request id, the oldest first. */
export class RequestBook {
  readonly #requests = new Map<string, Remembered>();
  #jobs = 0;

  /** Makes the call unless it was made before. @throws RequestMismatchError */
  once(id: string, fingerprint: string, wallMs: number, call: () => Enqueued[]): Enqueued[] {
    const known = this.#requests.get(id);
    if (known === undefined || wallMs >= known.atMs + LIMITS.requestKeptMs) {
      const answer = call();
      this.#remember(id, { fingerprint, atMs: wallMs, answer });
      return answer;
    }
    if (known.fingerprint !== fingerprint) throw new RequestMismatchError(id);
    return [...known.answer];
  }

  #remember(id: string, request: Remembered): void {
    this.#forget(id);
    this.#requests.set(id, request);
    this.#jobs += request.answer.length;
    for (const [oldest] of this.#requests) {
      if (this.#requests.size <= LIMITS.requestsKept && this.#jobs <= LIMITS.requestJobsKept) return;
      this.#forget(oldest);
    }
  }

  #forget(id: string): void {
    this.#jobs -= this.#requests.get(id)?.answer.length ?? 0;
    this.#requests.delete(id);
  }
}

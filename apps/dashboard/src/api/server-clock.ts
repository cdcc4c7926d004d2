/**
 * The server's time, as well as answers let us know it. All ages and countdowns use it, so that a browser whose clock
 * is wrong by minutes still shows the truth. The offset of an answer is known to half its round trip; the best-known
 * one is kept until an answer contradicts it.
 */
export class ServerClock {
  #offsetMs = 0;
  #uncertaintyMs = Number.POSITIVE_INFINITY;
  readonly #localNow: () => number;
  readonly #listeners = new Set<() => void>();

  constructor(localNow: () => number) {
    this.#localNow = localNow;
  }

  now(): number {
    return this.#localNow() + this.#offsetMs;
  }

  localNow(): number {
    return this.#localNow();
  }

  /** Server time of a moment that the browser noted with its own clock. */
  fromLocal(localMs: number): number {
    return localMs + this.#offsetMs;
  }

  /** Calls when the offset has changed: what was computed with the former one is wrong by that much. */
  onAdjust(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Takes the time of an answer that was asked for and received at these local times. */
  observe(serverTimeMs: number, sentAtMs: number, receivedAtMs: number): void {
    if (!Number.isFinite(serverTimeMs)) return;
    const uncertaintyMs = Math.max(0, receivedAtMs - sentAtMs) / 2;
    const offsetMs = serverTimeMs - (sentAtMs + uncertaintyMs);
    const contradicted = Math.abs(offsetMs - this.#offsetMs) > uncertaintyMs + this.#uncertaintyMs;
    if (uncertaintyMs > this.#uncertaintyMs && !contradicted) return;
    this.#offsetMs = offsetMs;
    this.#uncertaintyMs = uncertaintyMs;
    for (const listener of this.#listeners) listener();
  }
}

export const serverClock = new ServerClock(() => Date.now());

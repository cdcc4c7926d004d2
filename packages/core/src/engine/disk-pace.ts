/** A disk that has not shown what it can do yet. */
const ASSUMED_MS = 10;
const FAST_MS = 1;
/** How much of what was expected a shorter sync leaves. */
const KEPT_PART = 0.8;

/** How long a sync may be expected to take: a slow one is remembered at once, and forgotten over a dozen fast ones. */
export class DiskPace {
  #expectedMs = ASSUMED_MS;

  took(ms: number): void {
    this.#expectedMs = ms >= this.#expectedMs ? ms : ms + (this.#expectedMs - ms) * KEPT_PART;
  }

  get isFast(): boolean {
    return this.#expectedMs < FAST_MS;
  }
}

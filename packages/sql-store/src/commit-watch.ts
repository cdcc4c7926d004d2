const LOOK_MS_MIN = 10;
const LOOK_MS_MAX = 500;
/** Then whoever waits has found the jobs by polling. */
const WATCH_MS_MAX = 60_000;

/** What became of a transaction, as far as the database can tell; `ended` where it never will be committed. */
export type CommitLook = () => Promise<'open' | 'committed' | 'ended'>;

/** Waits for the end of transactions of callers, to wake those who wait for their jobs. */
export class CommitWatch {
  readonly #timers = new Set<NodeJS.Timeout>();

  watch(look: CommitLook, committed: () => void): void {
    this.#lookIn(LOOK_MS_MIN, look, committed, performance.now() + WATCH_MS_MAX);
  }

  stop(): void {
    for (const timer of this.#timers) clearTimeout(timer);
    this.#timers.clear();
  }

  #lookIn(ms: number, look: CommitLook, committed: () => void, untilMs: number): void {
    const timer = setTimeout(() => {
      this.#timers.delete(timer);
      look().then(
        (status) => {
          if (status === 'committed') committed();
          if (status === 'open' && performance.now() < untilMs) {
            this.#lookIn(Math.min(ms * 2, LOOK_MS_MAX), look, committed, untilMs);
          }
        },
        () => {},
      );
    }, ms).unref();
    this.#timers.add(timer);
  }
}

/** Those who want to be told of something. */
export class Listeners<Event> {
  readonly #listeners = new Set<(event: Event) => void>();

  /** @returns how to stop listening */
  add(listener: (event: Event) => void): () => void {
    // Twice the same function is two listeners.
    const own = (event: Event) => listener(event);
    this.#listeners.add(own);
    return () => void this.#listeners.delete(own);
  }

  /** What a listener throws is its own affair and is reported as an uncaught error, like that of an event listener. */
  tell(event: Event): void {
    // Those of this moment: one that leaves and comes again at each event would be told without end.
    for (const listener of [...this.#listeners]) {
      try {
        listener(event);
      } catch (error) {
        process.nextTick(() => {
          throw error;
        });
      }
    }
  }
}

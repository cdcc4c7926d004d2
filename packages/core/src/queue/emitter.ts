/**
 * Events with typed payloads. A listener that throws becomes a process warning: it hurts neither the emitter nor other
 * listeners.
 */
export class Emitter<Events extends object> {
  readonly #listeners = new Map<keyof Events, Set<(event: never) => void>>();

  /** Returns the call that removes the listener. */
  on<Name extends keyof Events>(name: Name, listener: (event: Events[Name]) => void): () => void {
    const listeners = this.#listeners.get(name) ?? new Set();
    // Twice the same function is two listeners.
    const own = (event: Events[Name]) => listener(event);
    this.#listeners.set(name, listeners.add(own));
    return () => void listeners.delete(own);
  }

  /** Answers whether anybody listened. */
  emit<Name extends keyof Events>(name: Name, event: Events[Name]): boolean {
    const listeners = this.#listeners.get(name);
    if (listeners === undefined || listeners.size === 0) return false;
    // Those of this moment: one that leaves and comes again at each event would be told without end.
    for (const listener of [...listeners] as ((event: Events[Name]) => unknown)[]) {
      try {
        const returned = listener(event);
        if (returned instanceof Promise) returned.catch(warn);
      } catch (error) {
        warn(error);
      }
    }
    return true;
  }
}

/** For errors that nobody else can be told. Never throws. */
export function warn(error: unknown): void {
  try {
    process.emitWarning(error instanceof Error ? error : String(error));
  } catch {
    process.emitWarning('Something was thrown that cannot even be shown.');
  }
}

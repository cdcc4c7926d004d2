import type { Port } from './port.js';

/**
 * Two ports of one thread, each the other's far end. Messages are copied as between threads, so that what cannot cross a
 * thread cannot cross here either, and arrive in a microtask: two runs with the same input see the same order.
 */
export function openPortPair(): readonly [Port, Port] {
  const one = new PairedPort();
  const other = new PairedPort();
  one.connect(other);
  other.connect(one);
  return [one, other];
}

class PairedPort implements Port {
  #far: PairedPort | undefined;
  #onMessage: ((message: unknown) => void) | undefined;
  #arrived: unknown[] = [];
  #deliveryDue = false;
  #closed = false;

  connect(far: PairedPort): void {
    this.#far = far;
  }

  post(message: unknown, transfer: readonly ArrayBuffer[] = []): void {
    if (!this.#closed && this.#far !== undefined)
      this.#far.#take(structuredClone(message, { transfer: [...transfer] }));
  }

  listen(onMessage: (message: unknown) => void): void {
    this.#onMessage = onMessage;
    this.#deliverSoon();
  }

  receive(): unknown {
    return this.#arrived.shift();
  }

  close(): void {
    this.#closed = true;
  }

  #take(message: unknown): void {
    this.#arrived.push(message);
    this.#deliverSoon();
  }

  #deliverSoon(): void {
    if (this.#deliveryDue || this.#onMessage === undefined || this.#arrived.length === 0) return;
    this.#deliveryDue = true;
    queueMicrotask(() => this.#deliver());
  }

  #deliver(): void {
    this.#deliveryDue = false;
    while (this.#arrived.length > 0) this.#onMessage?.(this.#arrived.shift());
  }
}

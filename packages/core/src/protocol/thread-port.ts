import { type MessagePort, receiveMessageOnPort } from 'node:worker_threads';
import type { Port } from './port.js';

/** A port to another thread. */
export class ThreadPort implements Port {
  readonly #port: MessagePort;
  readonly #keepAlive: boolean;

  /** @param keepAlive whether this thread goes on only because the port is open */
  constructor(port: MessagePort, keepAlive: boolean) {
    this.#port = port;
    this.#keepAlive = keepAlive;
  }

  post(message: unknown, transfer: readonly ArrayBuffer[] = []): void {
    this.#port.postMessage(message, transfer);
  }

  listen(onMessage: (message: unknown) => void): void {
    this.#port.on('message', onMessage);
    if (!this.#keepAlive) this.#port.unref();
  }

  receive(): unknown {
    return receiveMessageOnPort(this.#port)?.message;
  }

  close(): void {
    this.#port.close();
  }
}

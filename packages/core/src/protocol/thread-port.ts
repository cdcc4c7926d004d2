import { type MessagePort, receiveMessageOnPort } from 'node:worker_threads';
import type { Port } from './port.js';

/** A port to another thread. It keeps its thread alive while it is open, unless the owner calls `unref`. */
export class ThreadPort implements Port {
  readonly #port: MessagePort;

  constructor(port: MessagePort) {
    this.#port = port;
  }

  post(message: unknown, transfer: readonly ArrayBuffer[] = []): void {
    this.#port.postMessage(message, transfer);
  }

  listen(onMessage: (message: unknown) => void): void {
    this.#port.on('message', onMessage);
  }

  receive(): unknown {
    return receiveMessageOnPort(this.#port)?.message;
  }

  unref(): void {
    this.#port.unref();
  }

  close(): void {
    this.#port.close();
  }
}

import { type Clock, type HoldfastError, StoreFailedError, StoreOpenError } from '@holdfast/contract';
import type { CallTable } from '../protocol/turn-messages.js';
import type { EngineProcess, StartEngine } from './engine-process.js';
import type { PortClient } from './port-client.js';

export interface EngineRunOptions<Calls extends CallTable> {
  readonly startEngine: StartEngine;
  readonly calls: PortClient<Calls>;
  readonly clock: Clock;
  /** What is opened, for messages. */
  readonly location: string;
  readonly openTimeoutMs: number;
}

/** An engine that says it is done has this long to vanish. */
const VANISH_MS_MAX = 5000;

/** One engine from its start to its end, whichever way it ends. */
export class EngineRun<Calls extends CallTable> {
  /** Resolves with the engine's greeting; rejects with the reason why it cannot be opened, once it is gone. */
  readonly opened: Promise<unknown>;
  /** Resolves, never rejects, once an opened engine is gone: in plain words why. */
  readonly lost: Promise<string>;
  readonly #options: EngineRunOptions<Calls>;
  readonly #process: EngineProcess;
  #endedInOrder = false;
  #fatal: HoldfastError | undefined;

  constructor(options: EngineRunOptions<Calls>) {
    this.#options = options;
    this.#process = options.startEngine();
    this.opened = this.#handshake();
    this.lost = this.#process.gone.then((how) => (this.#fatal === undefined ? how : plainWords(this.#fatal)));
  }

  get endedInOrder(): boolean {
    return this.#endedInOrder;
  }

  /** Keeps the application's process alive, or lets it end. */
  hold(alive: boolean): void {
    this.#process.hold(alive);
  }

  /** Ends the engine at once, whatever it is doing; resolves when it is gone. */
  async kill(): Promise<void> {
    this.#process.kill();
    await this.#process.gone;
  }

  async #handshake(): Promise<unknown> {
    const { clock, location, openTimeoutMs } = this.#options;
    const timeout = clock.setTimer(openTimeoutMs, () => this.#process.kill());
    const startedAtMs = clock.monotonicMs();
    try {
      return await new Promise<unknown>((resolve, reject) => {
        this.#listen(resolve, reject);
        void this.#process.gone.then((how) => {
          const late = clock.monotonicMs() - startedAtMs >= openTimeoutMs;
          const problem = late ? `it took more than ${openTimeoutMs} ms. Allow more by openTimeoutMs.` : how;
          reject(new StoreOpenError(location, problem));
        });
      });
    } finally {
      clock.clearTimer(timeout);
    }
  }

  #listen(opened: (greeting: unknown) => void, refused: (error: HoldfastError) => void): void {
    this.#options.calls.attach(this.#process.port, {
      opened,
      refused: (error) => void this.#vanish().then(() => refused(error)),
      ended: () => {
        this.#endedInOrder = true;
        void this.#vanish();
      },
      fatal: (error) => {
        this.#fatal = error;
        this.#options.calls.detach(plainWords(error));
        void this.#vanish();
      },
    });
  }

  /** Waits for an engine that has said its last word. */
  async #vanish(): Promise<void> {
    const { clock } = this.#options;
    const timer = clock.setTimer(VANISH_MS_MAX, () => this.#process.kill());
    await this.#process.gone;
    clock.clearTimer(timer);
  }
}

/** What happened, for a message that says itself what it means for a call. */
export function plainWords(error: HoldfastError): string {
  return error instanceof StoreFailedError ? error.detail : error.message;
}

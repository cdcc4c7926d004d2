import { type Clock, type HoldfastError, StoreFailedError, StoreOpenError } from '@holdfast/contract';
import type { CallTable } from '../protocol/turn-messages.js';
import type { EngineProcess, StartEngine } from './engine-process.js';
import type { PortClient, PortClientEvents } from './port-client.js';

export interface EngineRunOptions<Calls extends CallTable> {
  readonly startEngine: StartEngine;
  readonly calls: PortClient<Calls>;
  readonly clock: Clock;
  /** What is opened, for messages. */
  readonly location: string;
  readonly openTimeoutMs: number;
  onNotice(notice: unknown): void;
}

/** An engine that says it is done has this long to vanish. */
const VANISH_MS_MAX = 5000;

/** One engine from its start to its end, whichever way it ends. */
export class EngineRun<Calls extends CallTable> implements PortClientEvents {
  /** Resolves with the engine's greeting; rejects with the reason why it cannot be opened, once it is gone. */
  readonly ready: Promise<unknown>;
  /** Resolves, never rejects, once it is gone and its last words were heard: in plain words why. */
  readonly gone: Promise<string>;
  readonly #options: EngineRunOptions<Calls>;
  readonly #process: EngineProcess;
  #greet: (greeting: unknown) => void = () => {};
  #lastError: HoldfastError | undefined;

  constructor(options: EngineRunOptions<Calls>) {
    this.#options = options;
    this.#process = options.startEngine();
    this.gone = this.#process.gone.then((how) => this.#hearLastWords(how));
    this.ready = this.#handshake();
    options.calls.attach(this.#process.port, this);
  }

  /** Keeps the application's process alive, or lets it end. */
  hold(alive: boolean): void {
    this.#process.hold(alive);
  }

  /** Ends the engine at once, whatever it is doing; resolves when it is gone. */
  async kill(): Promise<void> {
    this.#process.kill();
    await this.gone;
  }

  opened(greeting: unknown): void {
    this.#greet(greeting);
  }

  refused(error: HoldfastError): void {
    this.#lastError = error;
    void this.#vanish();
  }

  notice(notice: unknown): void {
    this.#options.onNotice(notice);
  }

  ended(): void {
    void this.#vanish();
  }

  fatal(error: HoldfastError): void {
    this.#lastError = error;
    this.#options.calls.detach(plainWords(error));
    void this.#vanish();
  }

  async #handshake(): Promise<unknown> {
    const { clock, location, openTimeoutMs } = this.#options;
    let late = false;
    const timeout = clock.setTimer(openTimeoutMs, () => {
      late = true;
      this.#process.kill();
    });
    try {
      return await new Promise<unknown>((resolve, reject) => {
        this.#greet = resolve;
        void this.gone.then((why) => {
          const problem = late ? `it took more than ${openTimeoutMs} ms; openTimeoutMs allows more.` : why;
          reject(this.#lastError ?? new StoreOpenError(location, problem));
        });
      });
    } finally {
      clock.clearTimer(timeout);
    }
  }

  /** The end of a thread may be noticed before its last messages are. */
  #hearLastWords(how: string): string {
    this.#options.calls.drain(this.#process.port, this);
    return this.#lastError === undefined ? how : plainWords(this.#lastError);
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

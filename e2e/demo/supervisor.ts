import { DemoChild, type DemoOptions, type Exit } from './demo-child.js';

/** Starts the demo again whenever it dies, as a process manager does in production. */
export class Supervisor {
  readonly #options: DemoOptions;
  #current: DemoChild;
  #ending = false;
  readonly #watched: Promise<Exit>;
  #outputOfTheDead = '';
  #deaths = 0;

  constructor(options: DemoOptions) {
    this.#options = options;
    this.#current = new DemoChild(options);
    this.#watched = this.#watch();
  }

  /** The address of the process that runs at the moment. @throws Error when that one ends while it starts. */
  url(): Promise<string> {
    return this.#current.url();
  }

  /** All that all of them printed. */
  get output(): string {
    return this.#outputOfTheDead + this.#current.output;
  }

  /** How often it was killed so far. */
  get deaths(): number {
    return this.#deaths;
  }

  /** Ends the present process in order, and starts no other. */
  async stop(): Promise<Exit> {
    this.#ending = true;
    if (this.#current.isRunning) await this.#current.stop();
    return this.#watched;
  }

  async #watch(): Promise<Exit> {
    for (;;) {
      const exit = await this.#current.exited;
      // A demo that ends by itself with an error would only do so again.
      if (this.#ending || exit.signal !== 'SIGKILL') return exit;
      this.#deaths += 1;
      this.#outputOfTheDead += this.#current.output;
      this.#current = new DemoChild(this.#options);
    }
  }
}

import { answeredIn } from './time-limit.js';

/** One that was used so recently is used again as it is. */
const ASKED_AFTER_MS = 10_000;
const ANSWER_MS = 5000;

export interface IdleConnectionsOptions<Connection> {
  /** Takes one of the pool, or a new one. */
  readonly take: () => Promise<Connection>;
  /** What stays the same each time the pool gives a connection. */
  readonly sameOf: (connection: Connection) => object;
  /** Asks for an answer, whatever it is. */
  readonly ask: (connection: Connection) => Promise<unknown>;
  readonly close: (connection: Connection) => void;
}

/**
 * Connections of a pool, none of which has died unnoticed while nobody used it: a firewall may have forgotten it, the server may have ended it. One that does not
 * answer is closed, and the next one is taken.
 */
export class IdleConnections<Connection> {
  readonly #options: IdleConnectionsOptions<Connection>;
  readonly #usedAtMs = new WeakMap<object, number>();

  constructor(options: IdleConnectionsOptions<Connection>) {
    this.#options = options;
  }

  /** @throws what the driver throws where there is none */
  async take(): Promise<Connection> {
    const { take, close } = this.#options;
    for (;;) {
      const connection = await take();
      if (await this.#answers(connection)) return connection;
      close(connection);
    }
  }

  /** It has answered by now. */
  used(connection: Connection): void {
    this.#usedAtMs.set(this.#options.sameOf(connection), performance.now());
  }

  /** A new one was answered when it was made. */
  async #answers(connection: Connection): Promise<boolean> {
    const { sameOf, ask } = this.#options;
    const usedAtMs = this.#usedAtMs.get(sameOf(connection));
    if (usedAtMs === undefined || performance.now() - usedAtMs < ASKED_AFTER_MS) return true;
    return answeredIn(ANSWER_MS, ask(connection)).then(
      () => true,
      () => false,
    );
  }
}

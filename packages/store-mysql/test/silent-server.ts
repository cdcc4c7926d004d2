import type { MysqlPool, MysqlPoolConnection } from '../src/pool.js';

/** Answers questions for locks with `lock` and every other one with nothing, until it falls silent: then what was asked is never answered, as on a network that swallows everything. */
export class SilentServer implements MysqlPool {
  isSilent = false;
  /** What `get_lock` answers: 1 where it was taken, 0 where somebody else holds it. */
  lock: 0 | 1 | null = 1;
  readonly asked: string[] = [];
  /** Connections that were closed. */
  closed = 0;
  #kept = {};

  /** A wrapper of the connection that is kept, as `mysql2/promise` gives them. */
  async getConnection(): Promise<MysqlPoolConnection> {
    return {
      connection: this.#kept,
      query: ({ sql }) => {
        this.asked.push(sql);
        if (this.isSilent) return new Promise<never>(() => {});
        return Promise.resolve([sql.includes('get_lock') ? [{ got: this.lock, leads: this.lock }] : []]);
      },
      release: () => {},
      destroy: () => {
        this.closed++;
        this.#kept = {};
      },
      on: () => {},
      off: () => {},
    };
  }
}

import type { MysqlPool, MysqlPoolConnection } from '../src/pool.js';

/** Answers every question with nothing, until it falls silent: then what was asked is never answered, as on a network that swallows everything. */
export class SilentServer implements MysqlPool {
  isSilent = false;
  readonly asked: string[] = [];
  /** Connections that were closed. */
  closed = 0;

  async getConnection(): Promise<MysqlPoolConnection> {
    return {
      query: ({ sql }) => {
        this.asked.push(sql);
        return this.isSilent ? new Promise<never>(() => {}) : Promise.resolve([[]]);
      },
      release: () => {},
      destroy: () => {
        this.closed++;
      },
      on: () => {},
      off: () => {},
    };
  }
}

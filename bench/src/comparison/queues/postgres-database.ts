import pg from 'pg';

/** The database of a run, asked beside the queue that works in it. */
export class PostgresDatabase {
  readonly #client: pg.Client;

  private constructor(client: pg.Client) {
    this.#client = client;
  }

  static async connect(url: string): Promise<PostgresDatabase> {
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    return new PostgresDatabase(client);
  }

  async serverVersion(): Promise<string> {
    const { rows } = await this.#client.query('show server_version');
    return `PostgreSQL ${String(rows[0].server_version).split(' ')[0]}`;
  }

  /** @param sql a row of `unfinished` and `failed` */
  async counts(sql: string): Promise<{ unfinished: number; failed: number }> {
    const { rows } = await this.#client.query(sql);
    return { unfinished: Number(rows[0].unfinished), failed: Number(rows[0].failed) };
  }

  /** Without the log of the server, which all its databases share. */
  async diskBytes(): Promise<number> {
    await this.#client.query('checkpoint');
    const { rows } = await this.#client.query('select pg_database_size(current_database()) as bytes');
    return Number(rows[0].bytes);
  }

  /** Runs what is handed a client of `pg`, as migrations do. */
  async with<Answer>(act: (client: pg.Client) => Promise<Answer>): Promise<Answer> {
    return act(this.#client);
  }

  async close(): Promise<void> {
    await this.#client.end();
  }
}

import { HoldfastError } from '@holdfast/contract';
import { callFailure, IdleConnections, type Phase, repeated, silenceMsOf } from '@holdfast/sql-store';
import { boundValues, types } from './bound-values.js';
import { postgresErrors } from './database-errors.js';
import type { PostgresPool, PostgresPoolClient } from './pool.js';
import type { Statement } from './statement.js';

/** Runs statements: on a connection of its own each, or all in one transaction. */
export interface Queries {
  run<Row>(statement: Statement | { readonly text: string }, values?: readonly unknown[]): Promise<Row[]>;
}

export interface DatabaseOptions {
  readonly pool: PostgresPool;
  readonly location: string;
  readonly prepare: boolean;
  readonly callTimeoutMs: number;
  /** Told after each call whether the database could be reached. */
  readonly reached: (error: unknown) => void;
}

/** A connection that is lost tells it twice: the call under way fails too. Without a listener it would end the process. */
const ignore = () => {};

/** The pool with the store's manners: numbers as numbers, errors that say what became of the call, and what can be repeated is. */
export class Database implements Queries {
  readonly location: string;
  readonly #options: DatabaseOptions;
  readonly #connections: IdleConnections<PostgresPoolClient>;
  readonly #begin: string;

  constructor(options: DatabaseOptions) {
    this.#options = options;
    this.location = options.location;
    this.#connections = new IdleConnections({
      take: () => taken(options.pool),
      sameOf: (client) => client,
      ask: (client) => client.query({ text: 'select 1' }),
      close: (client) => client.release(true),
    });
    // Whoever was cut off in a transaction would hold its locks until the server notices, which may take hours.
    this.#begin = `begin isolation level read committed; set local idle_in_transaction_session_timeout = ${silenceMsOf(options.callTimeoutMs)}`;
  }

  /** One statement, which commits by itself. */
  run<Row>(statement: Statement | { readonly text: string }, values: readonly unknown[] = []): Promise<Row[]> {
    return this.#repeated(() => this.#connected('sent', (client) => this.#send<Row>(client, statement, values)));
  }

  /** Several statements; none of them is applied if one fails or the work throws. */
  transaction<Answer>(work: (queries: Queries) => Promise<Answer>): Promise<Answer> {
    return this.#repeated(() =>
      this.#connected('open', async (client, enter) => {
        await client.query({ text: this.#begin });
        try {
          const answer = await work({ run: (statement, values = []) => this.#send(client, statement, values) });
          enter('committing');
          await client.query({ text: 'commit' });
          return answer;
        } catch (error) {
          // A connection that is lost is closed, and the server undoes what was done on it.
          if (!isLost(error)) await client.query({ text: 'rollback' }).catch(ignore);
          throw error;
        }
      }),
    );
  }

  async #send<Row>(
    client: PostgresPoolClient,
    statement: Statement | { readonly text: string },
    values: readonly unknown[],
  ): Promise<Row[]> {
    const { prepare, callTimeoutMs } = this.#options;
    const named = 'name' in statement && prepare ? { name: statement.name } : {};
    const query = { text: statement.text, values: boundValues(values), types, query_timeout: callTimeoutMs };
    const { rows } = await client.query({ ...query, ...named });
    return rows as Row[];
  }

  async #connected<Answer>(
    phase: Phase,
    work: (client: PostgresPoolClient, enter: (phase: Phase) => void) => Promise<Answer>,
  ): Promise<Answer> {
    const { location, reached } = this.#options;
    let client: PostgresPoolClient;
    try {
      client = await this.#connections.take();
    } catch (error) {
      reached(error);
      throw callFailure(error, 'unsent', location, postgresErrors);
    }
    let now = phase;
    try {
      const answer = await work(client, (next) => {
        now = next;
      });
      this.#connections.used(client);
      client.off('error', ignore);
      client.release();
      reached(undefined);
      return answer;
    } catch (error) {
      const failure = postgresErrors.isRepeatable(error) ? error : callFailure(error, now, location, postgresErrors);
      const lost = isLost(error);
      if (!lost) client.off('error', ignore);
      client.release(lost);
      reached(lost ? error : undefined);
      throw failure;
    }
  }

  #repeated<Answer>(call: () => Promise<Answer>): Promise<Answer> {
    return repeated(call, this.location, postgresErrors);
  }
}

async function taken(pool: PostgresPool): Promise<PostgresPoolClient> {
  const client = await pool.connect();
  client.on('error', ignore);
  return client;
}

/** Whether the connection that a call failed on cannot be used again: the server did not answer that it refuses something. */
function isLost(error: unknown): boolean {
  return !(error instanceof HoldfastError || postgresErrors.isRepeatable(error) || postgresErrors.isRefusal(error));
}

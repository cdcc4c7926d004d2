import pg from 'pg';
import { callFailure, isRefusal, isRepeatable, type Phase } from './database-errors.js';
import type { PostgresPool, PostgresPoolClient, PostgresQuery } from './pool.js';
import type { Statement } from './statement.js';

/** Runs statements: on a connection of its own each, or all in one transaction. */
export interface Queries {
  run<Row>(statement: Statement | { readonly text: string }, values?: readonly unknown[]): Promise<Row[]>;
}

export interface DatabaseOptions {
  readonly pool: PostgresPool;
  readonly location: string;
  readonly prepare: boolean;
  /** Told after each call whether the database could be reached. */
  readonly reached: (error: unknown) => void;
}

/** int8: every number of the store is a whole one that JavaScript can hold. */
const INT8 = 20;
const types: NonNullable<PostgresQuery['types']> = {
  getTypeParser: (oid, format) => (oid === INT8 ? Number : pg.types.getTypeParser(oid, format)),
};

/** A connection that is lost tells it twice: the call under way fails too. Without a listener it would end the process. */
const ignore = () => {};

/** A deadlock is undone by the database within a second; more in a row is not chance. */
const REPEATS_MAX = 10;

/** The pool with the store's manners: numbers as numbers, errors that say what became of the call, and what can be repeated is. */
export class Database implements Queries {
  readonly location: string;
  readonly #options: DatabaseOptions;

  constructor(options: DatabaseOptions) {
    this.#options = options;
    this.location = options.location;
  }

  /** One statement, which commits by itself. */
  run<Row>(statement: Statement | { readonly text: string }, values: readonly unknown[] = []): Promise<Row[]> {
    return this.#repeated(() => this.#connected('sent', (client) => this.#send<Row>(client, statement, values)));
  }

  /** Several statements; none of them is applied if one fails or the work throws. */
  transaction<Answer>(work: (queries: Queries) => Promise<Answer>): Promise<Answer> {
    return this.#repeated(() =>
      this.#connected('open', async (client, enter) => {
        await client.query({ text: 'begin isolation level read committed' });
        try {
          const answer = await work({ run: (statement, values = []) => this.#send(client, statement, values) });
          enter('committing');
          await client.query({ text: 'commit' });
          return answer;
        } catch (error) {
          await client.query({ text: 'rollback' }).catch(() => {});
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
    const named = 'name' in statement && this.#options.prepare ? { name: statement.name } : {};
    const { rows } = await client.query({ text: statement.text, values: [...values], types, ...named });
    return rows as Row[];
  }

  async #connected<Answer>(
    phase: Phase,
    work: (client: PostgresPoolClient, enter: (phase: Phase) => void) => Promise<Answer>,
  ): Promise<Answer> {
    const { pool, location, reached } = this.#options;
    let client: PostgresPoolClient;
    try {
      client = await pool.connect();
    } catch (error) {
      reached(error);
      throw callFailure(error, 'unsent', location);
    }
    let now = phase;
    client.on('error', ignore);
    try {
      const answer = await work(client, (next) => {
        now = next;
      });
      client.off('error', ignore);
      client.release();
      reached(undefined);
      return answer;
    } catch (error) {
      const failure = isRepeatable(error) ? error : callFailure(error, now, location);
      const isLost = error !== failure && !isRefusal(error);
      client.release(isLost);
      reached(isLost ? error : undefined);
      throw failure;
    }
  }

  async #repeated<Answer>(call: () => Promise<Answer>): Promise<Answer> {
    for (let repeats = 0; ; repeats++) {
      try {
        return await call();
      } catch (error) {
        if (!isRepeatable(error)) throw error;
        if (repeats >= REPEATS_MAX) throw callFailure(error, 'sent', this.location);
      }
    }
  }
}

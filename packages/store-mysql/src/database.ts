import { HoldfastError } from '@holdfast/contract';
import {
  answeredIn,
  callFailure,
  IdleConnections,
  inSchema,
  type Phase,
  type Queries,
  repeated,
  type SqlDatabase,
  type StatementName,
  type Statements,
} from '@holdfast/sql-store';
import { mysqlErrors } from './database-errors.js';
import type { MysqlPool, MysqlPoolConnection } from './pool.js';
import { boundValues, castNumbers } from './rows.js';
import { type SqlText, sql } from './sql-text.js';
import { STEPS } from './statements.js';
import type { Scope } from './steps/step.js';
import type { Surroundings, Work } from './work.js';

export interface DatabaseOptions {
  readonly pool: MysqlPool;
  /** Connections of the store's own pool were set up for it. */
  readonly isOwnPool: boolean;
  readonly location: string;
  readonly schema: string;
  readonly callTimeoutMs: number;
  readonly surroundings: Surroundings;
  /** Told after each call whether the database could be reached. */
  readonly reached: (error: unknown) => void;
}

/** A connection that is lost tells it twice: the call under way fails too. Without a listener it would end the process. */
const ignore = () => {};

/** READ COMMITTED: under the usual REPEATABLE READ a locking read locks the gaps beside its rows too, and calls that meet end in deadlocks. */
const BEGIN: Readonly<Record<Scope, readonly string[]>> = {
  separately: [],
  together: ['set transaction isolation level read committed', 'start transaction'],
  asOfOneMoment: [
    'set transaction isolation level repeatable read',
    'start transaction with consistent snapshot, read only',
  ],
  seeingUncommitted: ['set transaction isolation level read uncommitted', 'start transaction'],
};

/** The pool with the store's manners: errors that say what became of the call, and what can be repeated is. */
export class Database implements SqlDatabase {
  readonly location: string;
  readonly #options: DatabaseOptions;
  readonly #connections: IdleConnections<MysqlPoolConnection>;

  constructor(options: DatabaseOptions) {
    this.#options = options;
    this.location = options.location;
    this.#connections = new IdleConnections({
      take: () => taken(options.pool),
      sameOf: (connection) => connection.connection ?? connection,
      ask: (connection) => connection.query({ sql: 'select 1' }),
      close: (connection) => connection.destroy(),
    });
  }

  run<Name extends StatementName>(
    name: Name,
    values: Statements[Name]['values'],
  ): Promise<readonly Statements[Name]['row'][]> {
    const step = STEPS[name];
    return this.#in(
      step.scope,
      (work) => step.run(work, values),
      step.isWorth && ((work) => step.isWorth!(work, values)),
    );
  }

  transaction<Answer>(work: (queries: Queries) => Promise<Answer>): Promise<Answer> {
    return this.#in('together', (own) =>
      work({ run: (name, values) => STEPS[name].run(own, values) }),
    ) as Promise<Answer>;
  }

  /** The same work on one connection, in a transaction that begins with these statements. */
  begun<Answer>(begin: readonly string[], work: (ask: Work['rows']) => Promise<Answer>): Promise<Answer> {
    return this.#repeated(() =>
      this.#connected('open', (connection, enter) => {
        const { rows } = this.#workOn(connection);
        return this.#inTransaction(connection, begin, () => work(rows), enter);
      }),
    );
  }

  /** What is committed by now, for a transaction that may see what was there before. */
  get latest(): Work {
    const { now, random } = this.#options.surroundings;
    return { now, random, rows: (query) => this.ask(query) };
  }

  /** One statement that is not one of the store's. */
  ask<Row>(query: SqlText): Promise<readonly Row[]> {
    return this.#in('separately', (work) => work.rows<Row>(query));
  }

  /** Does the work on one connection, and gives it back. */
  connected<Answer>(work: (ask: Work['rows']) => Promise<Answer>): Promise<Answer> {
    return this.#in('separately', ({ rows }) => work(rows));
  }

  #in<Answer extends readonly unknown[] | unknown>(
    scope: Scope,
    run: (work: Work) => Promise<Answer>,
    isWorth?: (work: Work) => Promise<boolean>,
  ): Promise<Answer> {
    return this.#repeated(() =>
      this.#connected(scope === 'separately' ? 'sent' : 'open', async (connection, enter) => {
        const work = this.#workOn(connection);
        if (isWorth !== undefined && !(await isWorth(work))) return [] as unknown as Answer; // an empty answer of any step
        if (scope === 'separately') return run(work);
        // Sessions of the own pool are READ COMMITTED as they are.
        const begin = scope === 'together' && this.#options.isOwnPool ? BEGIN[scope].slice(1) : BEGIN[scope];
        return this.#inTransaction(connection, begin, () => run(work), enter);
      }),
    );
  }

  async #inTransaction<Answer>(
    connection: MysqlPoolConnection,
    begin: readonly string[],
    work: () => Promise<Answer>,
    enter: (phase: Phase) => void,
  ): Promise<Answer> {
    for (const text of begin) await this.#send(connection, text);
    try {
      const answer = await work();
      enter('committing');
      await this.#send(connection, 'commit');
      return answer;
    } catch (error) {
      // A connection that is lost is closed, and the server undoes what was done on it.
      if (!isLost(error)) await this.#send(connection, 'rollback').catch(ignore);
      throw error;
    }
  }

  #workOn(connection: MysqlPoolConnection): Work {
    const { surroundings, schema } = this.#options;
    const { now, random } = surroundings;
    const rows = async <Row>(query: SqlText): Promise<readonly Row[]> => {
      const [answer] = await this.#send(connection, inSchema(query.text, schema), boundValues(query));
      return Array.isArray(answer) ? (answer as Row[]) : [];
    };
    return { now, random, rows };
  }

  #send(connection: MysqlPoolConnection, text: string, values: (string | number | Buffer | null)[] = []) {
    const { callTimeoutMs, isOwnPool } = this.#options;
    const typeCast = isOwnPool ? true : castNumbers;
    const query = connection.query({ sql: text, values, typeCast, rowsAsArray: false, nestTables: false });
    return answeredIn(callTimeoutMs, query);
  }

  async #connected<Answer>(
    phase: Phase,
    work: (connection: MysqlPoolConnection, enter: (phase: Phase) => void) => Promise<Answer>,
  ): Promise<Answer> {
    const { location, reached } = this.#options;
    let connection: MysqlPoolConnection;
    try {
      connection = await this.#connections.take();
    } catch (error) {
      reached(error);
      throw callFailure(error, 'unsent', location, mysqlErrors);
    }
    let now = phase;
    try {
      const answer = await work(connection, (next) => {
        now = next;
      });
      this.#connections.used(connection);
      giveBack(connection);
      reached(undefined);
      return answer;
    } catch (error) {
      const lost = isLost(error);
      if (lost) connection.destroy();
      else giveBack(connection);
      reached(lost ? error : undefined);
      throw mysqlErrors.isRepeatable(error) ? error : callFailure(error, now, location, mysqlErrors);
    }
  }

  #repeated<Answer>(call: () => Promise<Answer>): Promise<Answer> {
    return repeated(call, this.location, mysqlErrors);
  }
}

/** Whether the connection that a call failed on cannot be used again: the server did not answer that it refuses something. */
function isLost(error: unknown): boolean {
  return !(error instanceof HoldfastError || mysqlErrors.isRepeatable(error) || mysqlErrors.isRefusal(error));
}

async function taken(pool: MysqlPool): Promise<MysqlPoolConnection> {
  const connection = await pool.getConnection();
  connection.on('error', ignore);
  return connection;
}

function giveBack(connection: MysqlPoolConnection): void {
  connection.off('error', ignore);
  connection.release();
}

/** The clock of the server, whatever its time zone is. */
export const SERVER_NOW = sql`(timestampdiff(microsecond, '1970-01-01', utc_timestamp(3)) div 1000)`;

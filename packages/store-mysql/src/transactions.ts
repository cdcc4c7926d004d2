import { InvalidArgumentError } from '@holdfast/contract';
import {
  type CallerTransactions,
  type CommitLook,
  inSchema,
  type Queries,
  type StatementName,
  type Statements,
} from '@holdfast/sql-store';
import type { Database } from './database.js';
import { boundValues, plainRow } from './rows.js';
import type { MysqlLink } from './session-link.js';
import { type SqlText, sql } from './sql-text.js';
import { STEPS } from './statements.js';
import type { Surroundings, Work } from './work.js';

/** What stands at a question mark. */
export type MysqlValue = string | number | Buffer | null;

/**
 * A transaction of the caller's, in which the store runs statements of its own. It must be on the server of the store, whose tables are named
 * with their schema. One of the functions below makes it from what your library gives you.
 */
export interface MysqlTransaction {
  /** Runs SQL with a question mark for each value. @returns its rows, if it answers any */
  run(text: string, values: readonly MysqlValue[]): Promise<unknown>;
  /** Asked at the beginning of each call of the store, where it is there. @throws where no transaction is open */
  requireBegun?(): Promise<void>;
}

/** `mysql2/promise`: a connection after `beginTransaction`. */
export interface Mysql2Connection {
  query(text: string, values: MysqlValue[]): Promise<readonly [unknown, ...unknown[]]>;
}

/** @throws InvalidArgumentError where it is given the pool. So does what is done with it while no transaction is open on the connection. */
export function mysqlTransaction(connection: Mysql2Connection): MysqlTransaction {
  // A pool runs each statement wherever it likes: what is stored would stay, whatever becomes of the transaction.
  if ('getConnection' in connection) {
    throw new InvalidArgumentError('connection of mysqlTransaction', 'the pool', CONNECTION);
  }
  return {
    run: async (text, values) => (await connection.query(text, [...values]))[0],
    async requireBegun() {
      const [{ serverStatus }] = (await connection.query('do 0', [])) as [{ readonly serverStatus?: number }];
      if (serverStatus === undefined || (serverStatus & (IN_TRANSACTION | AUTOCOMMIT)) !== AUTOCOMMIT) return;
      throw new InvalidArgumentError('connection of mysqlTransaction', 'in no transaction', CONNECTION);
    },
  };
}

const CONNECTION = 'a connection of the pool (pool.getConnection()) after its beginTransaction';
/** Bits of what the server says of the connection with each answer. Without autocommit the first statement begins a transaction. */
const IN_TRANSACTION = 1;
const AUTOCOMMIT = 2;

/** Knex: what `knex.transaction` gives. */
export interface KnexTransaction {
  raw(sql: string, bindings: readonly MysqlValue[]): PromiseLike<readonly [unknown, ...unknown[]]>;
}

export function knexTransaction(transaction: KnexTransaction): MysqlTransaction {
  return { run: async (text, values) => (await transaction.raw(text, values))[0] };
}

/** Kysely: what `db.transaction().execute` gives. */
export interface KyselyTransaction<Query> {
  executeQuery(query: Query): Promise<{ readonly rows: readonly unknown[] }>;
}

/** @param compiled `CompiledQuery` of kysely */
export function kyselyTransaction<Query>(
  transaction: KyselyTransaction<Query>,
  compiled: { raw(text: string, values: unknown[]): Query },
): MysqlTransaction {
  return { run: async (text, values) => (await transaction.executeQuery(compiled.raw(text, [...values]))).rows };
}

/** Drizzle on `mysql2`: what `db.transaction` gives. */
export interface DrizzleTransaction<Query> {
  execute(query: Query): PromiseLike<unknown>;
}

export interface DrizzleSql<Query, Part> {
  raw(text: string): Part;
  param(value: unknown): Part;
  join(parts: Part[]): Query;
}

/** @param sql That of drizzle-orm. */
export function drizzleTransaction<Query, Part>(
  transaction: DrizzleTransaction<Query>,
  sql: DrizzleSql<Query, Part>,
): MysqlTransaction {
  return {
    async run(text, values) {
      const texts = text.split('?');
      const parts = texts.flatMap((part, index) => {
        return index === 0 ? [sql.raw(part)] : [sql.param(values[index - 1]), sql.raw(part)];
      });
      const answer = await transaction.execute(sql.join(parts));
      return Array.isArray(answer) ? answer[0] : answer;
    },
  };
}

/** TypeORM: the manager that `dataSource.transaction` gives, or a query runner. */
export interface TypeormManager {
  query(text: string, values: unknown[]): Promise<unknown>;
}

export function typeormTransaction(manager: TypeormManager): MysqlTransaction {
  return { run: (text, values) => manager.query(text, [...values]) };
}

/** Prisma: the client that `prisma.$transaction` gives to its function. */
export interface PrismaTransaction {
  $queryRawUnsafe(text: string, ...values: unknown[]): PromiseLike<unknown>;
}

export function prismaTransaction(transaction: PrismaTransaction): MysqlTransaction {
  return { run: (text, values) => Promise.resolve(transaction.$queryRawUnsafe(text, ...values)) };
}

/** How the store works in transactions of callers. */
export class MysqlTransactions implements CallerTransactions<MysqlTransaction> {
  readonly #database: Database;
  readonly #schema: string;
  readonly #surroundings: Surroundings;
  readonly #link: MysqlLink | undefined;

  constructor(database: Database, schema: string, surroundings: Surroundings, link: MysqlLink | undefined) {
    this.#database = database;
    this.#schema = schema;
    this.#surroundings = surroundings;
    this.#link = link;
  }

  queriesIn(call: 'enqueue' | 'ack', transaction: MysqlTransaction): CallerQueries {
    if (typeof transaction?.run !== 'function') {
      throw new InvalidArgumentError(
        `${call}.transaction`,
        transaction,
        'one that mysqlTransaction or another of these functions made',
      );
    }
    return new CallerQueries(transaction, this.#schema, { ...this.#surroundings, latest: this.#latest });
  }

  /**
   * What is committed by now, read without a connection of the pool: all of those may be in such transactions. Only where the store keeps no connection, or has
   * lost it, one of the pool is asked for.
   */
  get #latest(): Work {
    return this.#link?.work ?? this.#database.latest;
  }

  /** The server tells nobody else of a transaction, but what it stored is seen when it is committed. That it was rolled back is not seen. */
  async look(_queries: Queries, { number }: { readonly number: number }): Promise<CommitLook> {
    return async () => {
      const rows = await this.#database.ask(sql`select 1 from hf.job where number = ${number}`);
      return rows.length > 0 ? 'committed' : 'open';
    };
  }
}

/** For one call of the store. */
class CallerQueries implements Queries {
  readonly #work: Work;
  readonly #begun: () => Promise<void> | undefined;

  constructor(transaction: MysqlTransaction, schema: string, work: Omit<Work, 'rows'>) {
    const rows = async <Row>(query: SqlText) => {
      const answer = await transaction.run(inSchema(query.text, schema), boundValues(query));
      return (Array.isArray(answer) ? answer.map(plainRow) : []) as Row[];
    };
    this.#work = { ...work, rows };
    let begun: Promise<void> | undefined;
    this.#begun = () => {
      begun ??= transaction.requireBegun?.();
      return begun;
    };
  }

  async run<Name extends StatementName>(
    name: Name,
    values: Statements[Name]['values'],
  ): Promise<readonly Statements[Name]['row'][]> {
    await this.#begun();
    return STEPS[name].run(this.#work, values);
  }
}

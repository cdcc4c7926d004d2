import { InvalidArgumentError, StoreFailedError } from '@holdfast/contract';
import type { CallerTransactions, CommitLook, Queries, StatementName, Statements } from '@holdfast/sql-store';
import { boundValues } from './bound-values.js';
import type { Calls } from './calls.js';
import type { Database } from './database.js';
import { givenText } from './stored-text.js';

/**
 * A transaction of the caller's, in which the store runs statements of its own. It must be in the database of the store, whose tables are named
 * with their schema. One of the functions below makes it from what your library gives you.
 */
export interface PostgresTransaction {
  run(text: string, values: readonly unknown[]): Promise<readonly object[]>;
}

/** `pg`: a client after `begin`. */
export interface PgClient {
  query(text: string, values: unknown[]): Promise<{ rows: unknown[] }>;
  /** `I` outside of every transaction. Clients of pg tell it since its version 8.17. */
  getTransactionStatus?(): string | null;
}

/** @throws InvalidArgumentError where it is given the pool. So does what is done with it while no transaction is open on the client. */
export function pgTransaction(client: PgClient): PostgresTransaction {
  // A pool runs each statement wherever it likes: what is stored would stay, whatever becomes of the transaction.
  if ('totalCount' in client) throw new InvalidArgumentError('client of pgTransaction', 'the pool', CLIENT);
  const run = async (text: string, values: readonly unknown[]) => {
    if (client.getTransactionStatus?.() === 'I') {
      throw new InvalidArgumentError('client of pgTransaction', 'in no transaction', CLIENT);
    }
    return (await client.query(text, [...values])).rows as object[];
  };
  return { run };
}

const CLIENT = "a client of the pool (pool.connect()) on which query('begin') was awaited";

/** Knex: what `knex.transaction` gives. */
export interface KnexTransaction {
  raw(sql: string, bindings: readonly unknown[]): PromiseLike<{ rows: unknown[] }>;
}

const PARAMETER = /\$(\d+)/g;

export function knexTransaction(transaction: KnexTransaction): PostgresTransaction {
  return {
    async run(text, values) {
      // Knex counts question marks, so a value that stands twice is given twice.
      const bindings = [...text.matchAll(PARAMETER)].map(([, number]) => values[Number(number) - 1] ?? null);
      return (await transaction.raw(text.replace(PARAMETER, '?'), bindings)).rows as object[];
    },
  };
}

/** Kysely: what `db.transaction().execute` gives. */
export interface KyselyTransaction<Query> {
  executeQuery(query: Query): Promise<{ readonly rows: readonly unknown[] }>;
}

/** @param compiled `CompiledQuery` of kysely */
export function kyselyTransaction<Query>(
  transaction: KyselyTransaction<Query>,
  compiled: { raw(text: string, values: unknown[]): Query },
): PostgresTransaction {
  return {
    async run(text, values) {
      return (await transaction.executeQuery(compiled.raw(text, [...values]))).rows as readonly object[];
    },
  };
}

/** Drizzle on `pg`: what `db.transaction` gives. */
export interface DrizzleTransaction<Query> {
  execute(query: Query): PromiseLike<{ readonly rows: readonly unknown[] }>;
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
): PostgresTransaction {
  return {
    async run(text, values) {
      const parts = text.split(/(\$\d+)/).map((part) => {
        return part.startsWith('$') ? sql.param(values[Number(part.slice(1)) - 1]) : sql.raw(part);
      });
      return (await transaction.execute(sql.join(parts))).rows as readonly object[];
    },
  };
}

/** TypeORM: the manager that `dataSource.transaction` gives, or a query runner. */
export interface TypeormManager {
  query(text: string, values: unknown[]): Promise<unknown>;
}

export function typeormTransaction(manager: TypeormManager): PostgresTransaction {
  return {
    async run(text, values) {
      const rows = await manager.query(text, [...values]);
      return Array.isArray(rows) ? (rows as object[]) : [];
    },
  };
}

/** Prisma: the client that `prisma.$transaction` gives to its function. */
export interface PrismaTransaction {
  $queryRawUnsafe(text: string, ...values: unknown[]): PromiseLike<unknown>;
}

export function prismaTransaction(transaction: PrismaTransaction): PostgresTransaction {
  return { run: async (text, values) => (await transaction.$queryRawUnsafe(text, ...values)) as object[] };
}

/** How the store works in transactions of callers. */
export class PostgresTransactions implements CallerTransactions<PostgresTransaction> {
  readonly #database: Database;
  readonly #calls: Calls;

  constructor(database: Database, calls: Calls) {
    this.#database = database;
    this.#calls = calls;
  }

  queriesIn(call: 'enqueue' | 'ack', transaction: PostgresTransaction): CallerQueries {
    if (typeof transaction?.run !== 'function') {
      throw new InvalidArgumentError(
        `${call}.transaction`,
        transaction,
        'one that pgTransaction or another of these functions made',
      );
    }
    return new CallerQueries(transaction, this.#calls);
  }

  /** Nothing is notified in the transaction itself: its commit would take a lock of the whole database. */
  async look(queries: CallerQueries): Promise<CommitLook> {
    const { transaction, transactionStatus } = this.#calls.statements;
    const [row] = (await queries.ask(transaction)) as { transaction: string }[];
    return async () => {
      const [found] = await this.#database.run<{ status: string | null }>(transactionStatus, [row?.transaction]);
      if (found?.status === 'committed') return 'committed';
      return found?.status === 'in progress' ? 'open' : 'ended';
    };
  }
}

const ISOLATION = "select current_setting('transaction_isolation') as level";

/** Columns of whole numbers, which drivers give as texts because there are larger ones. */
const NUMBERS: ReadonlySet<string> = new Set(['number', 'token', 'queue_id', 'waits_ms', 'at_ms']);

class CallerQueries implements Queries {
  readonly #transaction: PostgresTransaction;
  readonly #calls: Calls;

  constructor(transaction: PostgresTransaction, calls: Calls) {
    this.#transaction = transaction;
    this.#calls = calls;
  }

  async run<Name extends StatementName>(name: Name, values: Statements[Name]['values']) {
    if (name === 'keyHolders') await this.#checkSight();
    const call = this.#calls.of(name, values);
    const rows = await this.#transaction.run(call.statement.text, boundValues(call.values));
    const given = rows.map((row) => Object.fromEntries(Object.entries(row).map(givenColumn)));
    return (call.read === undefined ? given : call.read(given)) as Statements[Name]['row'][];
  }

  /** Under a higher level the transaction would not see who has taken a key since it began, and there would be two jobs of one key. */
  async #checkSight(): Promise<void> {
    const [row] = (await this.#transaction.run(ISOLATION, [])) as { readonly level?: string }[];
    if (row?.level === undefined || row.level.startsWith('read ')) return;
    const problem = `The transaction's isolation level is ${row.level}, in which it does not see who has taken a dedupe key since it began.`;
    throw new StoreFailedError('rejected', `${problem} Begin it as READ COMMITTED.`);
  }

  ask({ text }: { readonly text: string }): Promise<readonly object[]> {
    return this.#transaction.run(text, []);
  }
}

function givenColumn([column, value]: [string, unknown]): [string, unknown] {
  if (NUMBERS.has(column) && value !== null) return [column, Number(value)];
  return [column, typeof value === 'string' ? givenText(value) : value];
}

import { InvalidArgumentError } from '@holdfast/contract';
import { cutText } from '@holdfast/contract/rules';
import type { JobMap, JobName, JobOptions } from '../queue/job-options.js';
import { jsonCodec } from '../queue/json-codec.js';
import type { PayloadCodec } from '../queue/payload-codec.js';
import { newRow } from './new-row.js';
import type { Outbox, OutboxRow, Refusals } from './outbox.js';

export interface TableOutboxOptions {
  /** With its schema or without: `outbox`, `sales.outbox`. */
  readonly table: string;
  /** How payloads are kept in the table; the queue keeps them by its own. One that makes texts. Default: JSON. */
  readonly codec?: PayloadCodec;
}

export type ColumnValue = string | number | null;

/** A text with a place for each value. */
export interface OutboxStatement {
  readonly text: string;
  readonly values: ColumnValue[];
}

/** How two kinds of server differ. */
export interface OutboxDatabase<Client> {
  /** Quoted. */
  readonly table: string;
  /** The table as one whose rows are to be found by their ids alone: what looks at others may wait for their locks, or lock them. */
  readonly byId: string;
  /** Deletes the rows with these ids, of which there is one at least, and looks at no others. */
  removal(ids: readonly number[]): OutboxStatement;
  /** What begins a transaction. */
  readonly begin: readonly string[];
  /** Where the value with this number stands in a text, counted from 1. */
  place(number: number): string;
  connect(): Promise<OutboxSession>;
  run(client: Client, statement: OutboxStatement): Promise<unknown>;
  /** Outside of every transaction. */
  isPool(client: Client): boolean;
}

/** A connection of the pool. */
export interface OutboxSession {
  rows(text: string, values: ColumnValue[]): Promise<readonly unknown[]>;
  /** @param broken It is not to be used again. */
  release(broken: boolean): void;
}

interface TableRow {
  readonly id: unknown;
  readonly request_id: unknown;
  readonly name: string;
  readonly payload: string;
  readonly options: string | null;
}

const REFUSED_BYTES_MAX = 2000;
/** In one transaction. */
const UNMARKED_MAX = 1000;

/** An outbox that is a table of the application's database. Holds no connection and no state. */
export class TableOutbox<Client, Jobs extends object = JobMap> implements Outbox {
  readonly codec: PayloadCodec;
  readonly #database: OutboxDatabase<Client>;

  constructor(database: OutboxDatabase<Client>, { codec = jsonCodec }: TableOutboxOptions) {
    this.codec = codec;
    this.#database = database;
  }

  /**
   * Writes a job into the table, in the transaction that is open on `client`: it is there if and only if the transaction is committed. `wake` the relay then.
   * A `delayMs` counts from when the row is carried over.
   * @throws InvalidJobError, PayloadNotJsonError (rejected) before anything is asked of the database.
   */
  async add<Name extends JobName<Jobs>>(
    client: Client,
    name: Name,
    payload: Jobs[Name],
    options?: JobOptions,
  ): Promise<void> {
    if (this.#database.isPool(client)) {
      throw new InvalidArgumentError('client', 'the pool', 'the client of the transaction that the job belongs to');
    }
    await this.#database.run(client, this.insert(name, payload, options));
  }

  /** What `add` runs, for a library that runs statements in its own transactions. @throws as `add` */
  insert<Name extends JobName<Jobs>>(name: Name, payload: Jobs[Name], options?: JobOptions): OutboxStatement {
    const { table } = this.#database;
    const text = `INSERT INTO ${table} (name, payload, options) VALUES (${this.#places(3)})`;
    return { text, values: [...newRow(this.codec, name, payload, options)] };
  }

  carry(rowsMax: number, store: (rows: readonly OutboxRow[]) => Promise<Refusals>): Promise<number> {
    return this.#inTransaction(async (session) => {
      const found = (await session.rows(this.#select, [rowsMax])) as TableRow[];
      if (found.length === 0) return 0;
      const ids = new Map(found.map((row) => [toOutboxRow(row), Number(row.id)]));
      const refusals = await store([...ids.keys()]);
      // Killed here, the rows are found again, and their request ids are known.
      const stored = [...ids].filter(([row]) => !refusals.has(row)).map(([, id]) => id);
      if (stored.length > 0) {
        const { text, values } = this.#database.removal(stored);
        await session.rows(text, values);
      }
      for (const [row, { because }] of refusals) await this.#mark(session, ids.get(row)!, because);
      return found.length;
    });
  }

  async retryRefused(): Promise<void> {
    while ((await this.#inTransaction((session) => this.#unmark(session))) === UNMARKED_MAX);
  }

  get #select(): string {
    const { byId } = this.#database;
    const columns = 'id, request_id, name, payload, options';
    return `SELECT ${columns} FROM ${byId} WHERE refused IS NULL ORDER BY id LIMIT ${this.#places(1)} FOR UPDATE SKIP LOCKED`;
  }

  async #mark(session: OutboxSession, id: number, because: string): Promise<void> {
    const { table, place } = this.#database;
    // What a database cannot keep in a text would leave the row unmarked, and all rows with it where they are.
    const kept = cutText(because.replaceAll('\0', '\uFFFD').toWellFormed(), REFUSED_BYTES_MAX);
    await session.rows(`UPDATE ${table} SET refused = ${place(1)} WHERE id = ${place(2)}`, [kept, id]);
  }

  /** By their ids: an update that looks for them would wait for all rows that somebody is carrying. @returns how many they were */
  async #unmark(session: OutboxSession): Promise<number> {
    const { table, byId } = this.#database;
    const marked = `SELECT id FROM ${table} WHERE refused IS NOT NULL ORDER BY id LIMIT ${this.#places(1)}`;
    const found = (await session.rows(marked, [UNMARKED_MAX])) as Pick<TableRow, 'id'>[];
    if (found.length === 0) return 0;
    const ids = found.map(({ id }) => Number(id));
    await session.rows(`UPDATE ${byId} SET refused = NULL WHERE id IN (${this.#places(ids.length)})`, ids);
    return found.length;
  }

  async #inTransaction<Answer>(work: (session: OutboxSession) => Promise<Answer>): Promise<Answer> {
    const session = await this.#database.connect();
    let broken = false;
    try {
      for (const text of this.#database.begin) await session.rows(text, []);
      const answer = await work(session);
      await session.rows('COMMIT', []);
      return answer;
    } catch (error) {
      // If this fails too, the first error is the one that tells why.
      await session.rows('ROLLBACK', []).catch(() => {
        broken = true;
      });
      throw error;
    } finally {
      session.release(broken);
    }
  }

  #places(count: number): string {
    return Array.from({ length: count }, (_, index) => this.#database.place(index + 1)).join(', ');
  }
}

function toOutboxRow({ request_id, name, payload, options }: TableRow): OutboxRow {
  return { requestId: String(request_id), name, payload, options: options ?? undefined };
}

import type { Queries } from './database.js';
import type { Statement } from './statement.js';
import { givenText, storedText } from './stored-text.js';

interface QueueRow {
  readonly id: number;
  readonly name: string;
}

/** Numbers of queues by name. They never change and are never forgotten, so what was read once holds. */
export class QueueNames {
  readonly #database: Queries;
  readonly #find: Statement;
  readonly #add: Statement;
  readonly #ids = new Map<string, number>();
  readonly #names = new Map<number, string>();

  constructor(database: Queries, statements: { readonly find: Statement; readonly add: Statement }) {
    this.#database = database;
    this.#find = statements.find;
    this.#add = statements.add;
  }

  /** Of those that exist. */
  async known(names: readonly string[]): Promise<number[]> {
    await this.#read(names);
    return names.flatMap((name) => this.#ids.get(name) ?? []);
  }

  /** Makes those that are missing. */
  async idsOf(names: readonly string[]): Promise<ReadonlyMap<string, number>> {
    const missing = this.#missing(await this.#read(names));
    if (missing.length > 0) {
      await this.#database.run(this.#add, [missing.map(storedText)]);
      await this.#read(missing);
    }
    return this.#ids;
  }

  /**
   * In a transaction of the caller's, without another connection of the pool: all of them may be in such transactions, which wait for this one. Those
   * that are missing are made on the connection that the store keeps. Where it has none they are made in the transaction itself; whoever
   * uses a queue of that name meanwhile waits for its end.
   */
  async idsIn(
    queries: Queries,
    kept: Queries | undefined,
    names: readonly string[],
  ): Promise<ReadonlyMap<string, number>> {
    const missing = this.#missing(await this.#read(names, queries));
    if (missing.length === 0) return this.#ids;
    const maker = kept ?? queries;
    await maker.run(this.#add, [missing.map(storedText)]);
    if (kept !== undefined) {
      await this.#read(missing, kept);
      return this.#ids;
    }
    // The transaction may be rolled back, so nothing of this is remembered.
    const made = await queries.run<QueueRow>(this.#find, [missing.map(storedText)]);
    return new Map([...this.#ids, ...made.map(({ id, name }) => [givenText(name), id] as const)]);
  }

  /** Of a queue that was asked for by its name before. */
  name(id: number): string {
    const name = this.#names.get(id);
    if (name === undefined) throw new Error(`Queue ${id} was never asked for.`);
    return name;
  }

  nameIfKnown(id: number): string | undefined {
    return this.#names.get(id);
  }

  async #read(names: readonly string[], queries = this.#database): Promise<readonly string[]> {
    const missing = this.#missing(names);
    if (missing.length === 0) return missing;
    for (const { id, name } of await queries.run<QueueRow>(this.#find, [missing.map(storedText)])) {
      this.#ids.set(givenText(name), id);
      this.#names.set(id, givenText(name));
    }
    return missing;
  }

  #missing(names: readonly string[]): string[] {
    return [...new Set(names)].filter((name) => !this.#ids.has(name));
  }
}

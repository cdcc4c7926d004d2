import type { JobFilter } from '@holdfast/contract';
import type { JobPlace, Queries } from './statements.js';

/** Numbers of queues by name. They never change and are never forgotten, so what was read once holds. */
export class QueueNames {
  readonly #database: Queries;
  readonly #ids = new Map<string, number>();
  readonly #names = new Map<number, string>();

  constructor(database: Queries) {
    this.#database = database;
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
      await this.#database.run('addQueues', [missing]);
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
    const missing = this.#missing(await this.#read(names, kept ?? queries));
    if (missing.length === 0) return this.#ids;
    await (kept ?? queries).run('addQueues', [missing]);
    if (kept !== undefined) {
      await this.#read(missing, kept);
      return this.#ids;
    }
    // The transaction may be rolled back, so nothing of this is remembered.
    const made = await queries.run('queueIds', [missing]);
    return new Map([...this.#ids, ...made.map(({ id, name }) => [name, id] as const)]);
  }

  /** Where the jobs of a filter are; `undefined` where nothing can match. */
  async placeOf(filter: JobFilter): Promise<JobPlace | undefined> {
    const { state, queue, name, errorFingerprint } = filter;
    const [queueId] = queue === undefined ? [] : await this.known([queue]);
    if (queue !== undefined && queueId === undefined) return undefined;
    return {
      ...(state === undefined ? {} : { state }),
      ...(queueId === undefined ? {} : { queueId }),
      ...(name === undefined ? {} : { name }),
      ...(errorFingerprint === undefined ? {} : { errorFingerprint }),
    };
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
    for (const { id, name } of await queries.run('queueIds', [missing])) {
      this.#ids.set(name, id);
      this.#names.set(id, name);
    }
    return missing;
  }

  #missing(names: readonly string[]): string[] {
    return [...new Set(names)].filter((name) => !this.#ids.has(name));
  }
}

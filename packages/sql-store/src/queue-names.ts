import { type JobFilter, StoreFailedError } from '@holdfast/contract';
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
   * @throws StoreFailedError where the transaction cannot see one of them
   */
  async idsIn(
    queries: Queries,
    kept: Queries | undefined,
    names: readonly string[],
  ): Promise<ReadonlyMap<string, number>> {
    if (kept === undefined) return this.#idsWithin(queries, this.#missing(names));
    const missing = this.#missing(await this.#read(names, kept));
    if (missing.length > 0) {
      await kept.run('addQueues', [missing]);
      await this.#read(missing, kept);
    }
    return this.#ids;
  }

  /** The transaction may be rolled back, and with it queues that an earlier call has made in it: nothing that it sees is remembered. */
  async #idsWithin(queries: Queries, unknown: readonly string[]): Promise<ReadonlyMap<string, number>> {
    const ids = new Map(this.#ids);
    const look = async (names: readonly string[]) => {
      if (names.length === 0) return [];
      for (const { id, name } of await queries.run('queueIds', [names])) ids.set(name, id);
      return names.filter((name) => !ids.has(name));
    };
    const missing = await look(unknown);
    if (missing.length > 0) await queries.run('addQueues', [missing]);
    const [unseen] = await look(missing);
    if (unseen === undefined) return ids;
    // Its jobs would be in no queue.
    const problem = `The transaction sees what was there when it began, and so not the queue ${unseen}, which is newer.`;
    throw new StoreFailedError('rejected', `${problem} Roll it back and begin it again.`);
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

import { type Enqueued, RequestMismatchError } from '@holdfast/contract';
import { STORE_LIMITS as LIMITS } from '@holdfast/contract/rules';
import type { Database, Queries } from './database.js';
import { DedupePlan, type HolderRow, keyName } from './dedupe-plan.js';
import type { JobNames } from './job-names.js';
import { type CheckedJob, enqueueValues } from './new-jobs.js';
import type { QueueNames } from './queue-names.js';
import type { StoreStatements } from './statements.js';
import { givenText, storedText } from './stored-text.js';

export interface Stored {
  readonly answers: Enqueued[];
  /** Of jobs that were stored: the queue, and after how long the job may start. */
  readonly starts: readonly { readonly queue_id: number; readonly waits_ms: number }[];
}

export interface EnqueueRequest {
  readonly id: string;
  readonly fingerprint: string;
}

interface PlacedRow {
  readonly number: number;
  readonly queue_id: number;
  readonly waits_ms: number;
}

/** Kinds of locked names: a key is none of the requests of the same text. */
const LOCKED_KEYS = 1;
const LOCKED_REQUESTS = 2;

/** A job that was to be replaced may be claimed at the same moment; then the plan is made anew, but not for ever. */
const PLANS_MAX = 50;

/** Stores jobs: in one statement, or in a transaction where keys or a request have to be looked at first. */
export class Enqueuing {
  readonly #database: Database;
  readonly #statements: StoreStatements;
  readonly #queues: QueueNames;
  readonly #names: JobNames;

  constructor(database: Database, statements: StoreStatements, queues: QueueNames, names: JobNames) {
    this.#database = database;
    this.#statements = statements;
    this.#queues = queues;
    this.#names = names;
  }

  async enqueue(jobs: readonly CheckedJob[], request: EnqueueRequest | undefined): Promise<Stored> {
    if (jobs.length === 0) return { answers: [], starts: [] };
    const queueIds = await this.#queues.idsOf(jobs.map(({ queue }) => queue));
    const keyed = jobs.some(({ dedupe }) => dedupe !== undefined);
    if (!keyed && request === undefined) return this.#plain(this.#database, jobs, queueIds);
    return this.#database.transaction((queries) => this.#within(queries, jobs, queueIds, request));
  }

  /**
   * In a transaction of the caller's.
   * @param kept the connection that the store keeps, if it has one
   */
  async enqueueIn(
    queries: Queries,
    kept: Queries | undefined,
    jobs: readonly CheckedJob[],
    request: EnqueueRequest | undefined,
  ): Promise<Stored> {
    if (jobs.length === 0) return { answers: [], starts: [] };
    const names = jobs.map(({ queue }) => queue);
    const queueIds = await this.#queues.idsIn(queries, kept, names);
    return this.#within(queries, jobs, queueIds, request);
  }

  /** In a transaction that is open. */
  async #within(
    queries: Queries,
    jobs: readonly CheckedJob[],
    queueIds: ReadonlyMap<string, number>,
    request: EnqueueRequest | undefined,
  ): Promise<Stored> {
    const store = () =>
      jobs.some(({ dedupe }) => dedupe !== undefined)
        ? this.#keyed(queries, jobs, queueIds)
        : this.#plain(queries, jobs, queueIds);
    return request === undefined ? store() : this.#once(queries, request, store);
  }

  async #plain(queries: Queries, jobs: readonly CheckedJob[], queueIds: ReadonlyMap<string, number>): Promise<Stored> {
    const rows = await queries.run<PlacedRow>(this.#statements.enqueue, enqueueValues(jobs, queueIds));
    const answers = rows.map(({ number, waits_ms }): Enqueued => {
      return { id: this.#names.id(number), state: waits_ms > 0 ? 'scheduled' : 'ready', outcome: 'created' };
    });
    return { answers, starts: rows };
  }

  async #keyed(queries: Queries, jobs: readonly CheckedJob[], queueIds: ReadonlyMap<string, number>): Promise<Stored> {
    let plan = await this.#plan(queries, jobs, queueIds);
    let replaced = await this.#replace(queries, plan, queueIds);
    for (let plans = 1; replaced === undefined && plans < PLANS_MAX; plans++) {
      plan = await this.#plan(queries, jobs, queueIds);
      replaced = await this.#replace(queries, plan, queueIds);
    }
    if (replaced === undefined) throw new Error(`A job was claimed ${PLANS_MAX} times while it was to be replaced.`);
    const values = enqueueValues(plan.inserts, queueIds);
    const inserted =
      plan.inserts.length === 0 ? [] : await queries.run<PlacedRow>(this.#statements.enqueueKeyed, values);
    const starts = [...inserted, ...replaced];
    const numbers = inserted.map(({ number }) => number);
    const answers = plan.answers.map(({ number, place, state, outcome }): Enqueued => {
      return { id: this.#names.id(number ?? numbers[place ?? 0] ?? 0), state, outcome };
    });
    return { answers, starts };
  }

  /** `undefined` where one of the jobs does not wait any more. */
  async #replace(
    queries: Queries,
    plan: DedupePlan,
    queueIds: ReadonlyMap<string, number>,
  ): Promise<PlacedRow[] | undefined> {
    const rows: PlacedRow[] = [];
    for (const [number, job] of plan.replaces) {
      const [row] = await queries.run<PlacedRow>(this.#statements.replace, [...enqueueValues([job], queueIds), number]);
      if (row === undefined) return undefined;
      rows.push(row);
    }
    return rows;
  }

  async #plan(
    queries: Queries,
    jobs: readonly CheckedJob[],
    queueIds: ReadonlyMap<string, number>,
  ): Promise<DedupePlan> {
    const { lockNames, keyHolders, keyWindows, time } = this.#statements;
    const keyed = jobs.filter(({ dedupe }) => dedupe !== undefined);
    const queues = keyed.map(({ queue }) => queueIds.get(queue) ?? 0);
    const keys = keyed.map(({ row }) => String(row.dedupe_key));
    await queries.run(lockNames, [
      LOCKED_KEYS,
      keys.map((key, index) => lockedName(time.name, keyName(queues[index] ?? 0, key))),
    ]);
    const holders = await queries.run<HolderRow>(keyHolders, [queues, keys]);
    const windows = await queries.run<HolderRow>(keyWindows, [queues, keys]);
    const [now] = await queries.run<{ at_ms: number }>(time);
    const plan = new DedupePlan(holders, windows, now?.at_ms ?? 0);
    for (const job of jobs) plan.add(job, queueIds.get(job.queue) ?? 0);
    return plan;
  }

  /** Makes the call unless it was made before. @throws RequestMismatchError */
  async #once(queries: Queries, { id, fingerprint }: EnqueueRequest, store: () => Promise<Stored>): Promise<Stored> {
    const { lockNames, findRequest, keepRequest, time } = this.#statements;
    const key = storedText(id);
    await queries.run(lockNames, [LOCKED_REQUESTS, [lockedName(time.name, key)]]);
    const [known] = await queries.run<{ fingerprint: string; answer: string }>(findRequest, [
      key,
      LIMITS.requestKeptMs,
    ]);
    if (known !== undefined) {
      if (known.fingerprint !== fingerprint) throw new RequestMismatchError(id);
      return { answers: JSON.parse(givenText(known.answer)) as Enqueued[], starts: [] };
    }
    const stored = await store();
    const { length } = stored.answers;
    await queries.run(keepRequest, [key, fingerprint, length, storedText(JSON.stringify(stored.answers))]);
    return stored;
  }
}

/** Stores in other schemas of the database have locks of their own. */
function lockedName(schema: string, name: string): string {
  return `${schema} ${name}`;
}

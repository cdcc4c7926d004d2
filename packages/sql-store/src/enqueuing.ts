import { type Enqueued, RequestMismatchError } from '@holdfast/contract';
import { STORE_LIMITS as LIMITS } from '@holdfast/contract/rules';
import { DedupePlan, keyName } from './dedupe-plan.js';
import type { JobNames } from './job-names.js';
import { type CheckedJob, jobRow, jobRows } from './new-jobs.js';
import type { QueueNames } from './queue-names.js';
import type { PlacedRow, Queries, SqlDatabase } from './statements.js';

export interface Stored {
  readonly answers: Enqueued[];
  /** Of jobs that were stored: the queue, and after how long the job may start. */
  readonly starts: readonly PlacedRow[];
}

export interface EnqueueRequest {
  readonly id: string;
  readonly fingerprint: string;
}

/** A job that was to be replaced may be claimed at the same moment; then the plan is made anew, but not for ever. */
const PLANS_MAX = 50;

/** Stores jobs: in one statement, or in a transaction where keys or a request have to be looked at first. */
export class Enqueuing {
  readonly #database: SqlDatabase;
  readonly #queues: QueueNames;
  readonly #names: JobNames;

  constructor(database: SqlDatabase, queues: QueueNames, names: JobNames) {
    this.#database = database;
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
    const rows = await queries.run('enqueue', [jobRows(jobs, queueIds)]);
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
    const inserted =
      plan.inserts.length === 0 ? [] : await queries.run('enqueueKeyed', [jobRows(plan.inserts, queueIds)]);
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
      const [row] = await queries.run('replace', [[jobRow(job, queueIds)], number]);
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
    const keyed = jobs.filter(({ dedupe }) => dedupe !== undefined);
    const all = keyed.map(({ queue, row }) => ({ queue_id: queueIds.get(queue) ?? 0, key: row.dedupe_key ?? '' }));
    const keys = new Map(all.map((key) => [keyName(key.queue_id, key.key), key]));
    await queries.run('lockNames', ['key', [...keys.keys()]]);
    const holders = await queries.run('keyHolders', [[...keys.values()]]);
    const windows = await queries.run('keyWindows', [[...keys.values()]]);
    const [now] = await queries.run('time', []);
    const plan = new DedupePlan(holders, windows, now?.at_ms ?? 0);
    for (const job of jobs) plan.add(job, queueIds.get(job.queue) ?? 0);
    return plan;
  }

  /** Makes the call unless it was made before. @throws RequestMismatchError */
  async #once(queries: Queries, { id, fingerprint }: EnqueueRequest, store: () => Promise<Stored>): Promise<Stored> {
    await queries.run('lockNames', ['request', [id]]);
    const [known] = await queries.run('findRequest', [id, LIMITS.requestKeptMs]);
    if (known !== undefined) {
      if (known.fingerprint !== fingerprint) throw new RequestMismatchError(id);
      return { answers: JSON.parse(known.answer) as Enqueued[], starts: [] };
    }
    const stored = await store();
    const { length } = stored.answers;
    await queries.run('keepRequest', [id, fingerprint, length, JSON.stringify(stored.answers)]);
    return stored;
  }
}

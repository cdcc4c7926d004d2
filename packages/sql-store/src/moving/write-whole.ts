import type { JobState } from '@holdfast/contract';
import type { StoreContents, WholeJob } from '@holdfast/contract/moving';
import type { TableName, TableRow, WholeTables } from './movable-rows.js';
import { addJobRows, deathOf, type RowsOfTables } from './whole-job-rows.js';

/** Fills the empty tables with all that a store holds. */
export async function writeWhole(contents: StoreContents, tables: WholeTables): Promise<void> {
  const queues = new QueueIds(tables);
  for (const { name, pause } of await contents.queues()) {
    const id = await queues.add(name);
    if (pause === undefined) continue;
    const { sinceMs, untilMs, actor, reason } = pause;
    const row = { paused_since_ms: sinceMs, paused_until_ms: untilMs ?? null, paused_actor: actor };
    await tables.pause(id, { ...row, paused_reason: reason ?? null });
  }
  const tally = new Tally();
  for await (const jobs of contents.jobs()) {
    await queues.addAll(
      jobs.flatMap(({ queue, acts }) => [queue, ...acts.flatMap(({ fromQueue, toQueue }) => [fromQueue, toQueue])]),
    );
    const rows: RowsOfTables = {};
    for (const job of jobs) {
      addJobRows(rows, job, queues.id, tables.atMs);
      tally.add(job, queues.id(job.queue));
    }
    await insertAll(tables, rows);
  }
  await insertAll(tables, tally.rows());
  await writeRemembered(contents, tables, queues);
  await tables.become(contents.identity);
}

async function writeRemembered(contents: StoreContents, tables: WholeTables, queues: QueueIds): Promise<void> {
  for await (const keys of contents.keys()) {
    await queues.addAll(keys.map(({ queue }) => queue));
    const rows = keys.map(({ queue, key, number, untilMs }) => ({
      queue_id: queues.id(queue),
      key,
      number,
      until_ms: untilMs,
    }));
    await tables.insert('key_window', rows);
  }
  for await (const requests of contents.requests()) {
    const rows = requests.map(({ id, fingerprint, atMs, answers }) => {
      return { id, fingerprint, at_ms: atMs, jobs: answers.length, answer: JSON.stringify(answers) };
    });
    await tables.insert('request', rows);
  }
}

async function insertAll(tables: WholeTables, rows: RowsOfTables): Promise<void> {
  for (const [table, added] of Object.entries(rows) as [TableName, TableRow[]][]) {
    if (added.length > 0) await tables.insert(table, added);
  }
}

/** Numbers of queues, which are made as they are met. */
class QueueIds {
  readonly #tables: WholeTables;
  readonly #ids = new Map<string, number>();
  readonly id = (queue: string): number => {
    const id = this.#ids.get(queue);
    if (id === undefined) throw new Error(`The queue ${queue} has no number.`);
    return id;
  };

  constructor(tables: WholeTables) {
    this.#tables = tables;
  }

  async add(queue: string): Promise<number> {
    await this.addAll([queue]);
    return this.id(queue);
  }

  async addAll(queues: readonly (string | undefined)[]): Promise<void> {
    const missing = new Set(queues.filter((queue) => queue !== undefined && !this.#ids.has(queue)) as string[]);
    if (missing.size === 0) return;
    for (const [name, id] of await this.#tables.addQueues([...missing])) this.#ids.set(name, id);
  }
}

type Counted = JobState | 'retrying';

/** What is counted beside the jobs. */
class Tally {
  readonly #queues = new Map<number, Record<Counted, number>>();
  readonly #deaths = new Map<
    string,
    TableRow & { readonly count: number; readonly first_at_ms: number; readonly last_at_ms: number }
  >();

  add(job: WholeJob, queueId: number): void {
    const none = { scheduled: 0, ready: 0, leased: 0, completed: 0, dead: 0, cancelled: 0, retrying: 0 };
    const counts = this.#queues.get(queueId) ?? none;
    counts[job.state]++;
    if (job.state === 'scheduled' && job.attempts > 0) counts.retrying++;
    this.#queues.set(queueId, counts);
    this.#addDeath(job, queueId);
  }

  rows(): RowsOfTables {
    const queue_count = [...this.#queues].map(([queue_id, counts]) => ({ queue_id, ...NO_TOTALS, ...counts }));
    return { queue_count, death_count: [...this.#deaths.values()] };
  }

  #addDeath(job: WholeJob, queue_id: number): void {
    const kind = deathOf(job);
    if (kind === undefined) return;
    const place = JSON.stringify([kind.fingerprint, queue_id, job.name]);
    const known = this.#deaths.get(place);
    const atMs = job.updatedAtMs;
    this.#deaths.set(place, {
      fingerprint: kind.fingerprint,
      queue_id,
      name: job.name,
      count: (known?.count ?? 0) + 1,
      error_class: kind.errorClass,
      message: kind.message,
      frame: kind.frame ?? null,
      first_at_ms: Math.min(known?.first_at_ms ?? atMs, atMs),
      last_at_ms: Math.max(known?.last_at_ms ?? atMs, atMs),
    });
  }
}

const NO_TOTALS = {
  total_enqueued: 0,
  total_claimed: 0,
  total_completed: 0,
  total_failed: 0,
  total_dead: 0,
  total_expired: 0,
};

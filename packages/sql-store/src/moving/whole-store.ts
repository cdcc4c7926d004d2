import type { Enqueued, JobState } from '@holdfast/contract';
import type {
  JobCounts,
  MovedKey,
  MovedQueue,
  MovedRequest,
  StoreContents,
  StoreIdentity,
  WholeJob,
} from '@holdfast/contract/moving';
import { STORE_LIMITS as LIMITS } from '@holdfast/contract/rules';
import type { PauseRow } from '../queue-rows.js';
import { pauseOf } from '../reading.js';
import type { NumberedRow, WholeRows } from './movable-rows.js';
import { wholeJob } from './whole-job.js';

const BATCH_JOBS = 500;
const BATCH_BYTES = 4 * 1024 * 1024;
const BATCH_KEYS = 1000;
const BATCH_REQUESTS = 100;
/** Queues are numbered from 1. */
const BEFORE_ALL_KEYS = { queue_id: 0, key: '' };

/** All that the tables of a store hold. */
export class WholeStore implements StoreContents {
  readonly identity: StoreIdentity;
  readonly requireUnchanged: () => Promise<void>;
  readonly #rows: WholeRows;

  constructor(rows: WholeRows, identity: StoreIdentity, requireUnchanged: () => Promise<void>) {
    this.#rows = rows;
    this.identity = identity;
    this.requireUnchanged = requireUnchanged;
  }

  async counts(): Promise<JobCounts> {
    const counts = new Map<string, Record<JobState, number>>();
    for (const { queue, state, count } of await this.#rows.counts()) {
      const states = counts.get(queue) ?? { scheduled: 0, ready: 0, leased: 0, completed: 0, dead: 0, cancelled: 0 };
      counts.set(queue, { ...states, [state]: count });
    }
    return counts;
  }

  async queues(): Promise<MovedQueue[]> {
    const rows = await this.#rows.queues();
    return rows.map((row) =>
      typeof row.paused_since_ms === 'number'
        ? { name: row.name, pause: pauseOf(row as PauseRow) }
        : { name: row.name },
    );
  }

  async *jobs(): AsyncGenerator<WholeJob[]> {
    for (let after = 0; ; ) {
      const sizes = await this.#rows.sizes(after, BATCH_JOBS);
      const [first, last] = rangeOf(sizes);
      if (first === undefined || last === undefined) return;
      yield await this.#jobsBetween(first, last);
      after = last;
    }
  }

  async *keys(): AsyncGenerator<MovedKey[]> {
    for (let after = BEFORE_ALL_KEYS; ; ) {
      const rows = await this.#rows.windows(after, BATCH_KEYS);
      const last = rows.at(-1);
      if (last === undefined) return;
      yield rows.map(({ queue, key, number, until_ms }) => ({ queue, key, number, untilMs: until_ms }));
      after = last;
    }
  }

  async *requests(): AsyncGenerator<MovedRequest[]> {
    const all = await this.#rows.requests(this.identity.rankFloorMs - LIMITS.requestKeptMs);
    for (let from = 0; from < all.length; from += BATCH_REQUESTS) {
      const ids = all.slice(from, from + BATCH_REQUESTS).map(({ id }) => id);
      const rows = new Map((await this.#rows.requestsOf(ids)).map((row) => [row.id, row]));
      yield ids.flatMap((id) => {
        const row = rows.get(id);
        if (row === undefined) return [];
        const { fingerprint, at_ms, answer } = row;
        return [{ id, fingerprint, atMs: at_ms, answers: JSON.parse(answer) as Enqueued[] }];
      });
    }
  }

  async #jobsBetween(first: number, last: number): Promise<WholeJob[]> {
    const jobs = await this.#rows.jobs(first, last);
    const attempts = byNumber(await this.#rows.attempts(first, last));
    const notes = byNumber(await this.#rows.notes(first, last));
    const acts = byNumber(await this.#rows.acts(first, last));
    return jobs.map((job) => {
      const { number } = job;
      return wholeJob(job, attempts.get(number) ?? [], notes.get(number) ?? [], acts.get(number) ?? []);
    });
  }
}

/** Of as many jobs as may be in memory at once, one at least. */
function rangeOf(sizes: readonly (NumberedRow & { readonly payload_size: number })[]) {
  let bytes = 0;
  let last = sizes[0]?.number;
  for (const { number, payload_size } of sizes) {
    bytes += payload_size;
    if (bytes > BATCH_BYTES) break;
    last = number;
  }
  return [sizes[0]?.number, last] as const;
}

function byNumber<Row extends NumberedRow>(rows: readonly Row[]): ReadonlyMap<number, Row[]> {
  const found = new Map<number, Row[]>();
  for (const row of rows) {
    const known = found.get(row.number);
    if (known === undefined) found.set(row.number, [row]);
    else known.push(row);
  }
  return found;
}

import type {
  JobDetail,
  JobFilter,
  JobRow,
  LeaseExpiry,
  LeaseRow,
  Page,
  PageRequest,
  QueuePause,
  QueueSummary,
  StoreMetrics,
} from '@holdfast/contract';
import { STORE_LIMITS as LIMITS } from '@holdfast/contract/rules';
import { Browsing, type BrowsingParts } from './browsing.js';
import { STEP_MS, STEPS } from './counts.js';
import { type JobNames, NOBODY } from './job-names.js';
import type { RowReader } from './job-rows.js';
import type { PauseRow, QueueRow } from './queue-rows.js';
import type { Queries } from './statements.js';

export interface Before {
  /** The last lease that had run out before the store was opened. */
  readonly lastExpiry: number;
  readonly totals: StoreMetrics['totals'];
}

/** Answers questions; changes nothing. */
export class Reading {
  readonly browsing: Browsing;
  readonly #database: Queries;
  readonly #names: JobNames;
  readonly #rows: RowReader;

  constructor(parts: BrowsingParts) {
    this.browsing = new Browsing(parts);
    this.#database = parts.database;
    this.#names = parts.names;
    this.#rows = parts.rows;
  }

  async job(id: string): Promise<JobDetail | undefined> {
    const number = this.#names.number(id);
    if (number === NOBODY) return undefined;
    const [row] = await this.#database.run('detail', [number]);
    return row === undefined ? undefined : this.#rows.detail(row);
  }

  browse(filter: JobFilter, page: PageRequest): Promise<Page<JobRow>> {
    return this.browsing.browse(filter, page);
  }

  async queues(names: readonly string[] | undefined): Promise<QueueSummary[]> {
    if (names?.length === 0) return [];
    const rows = await this.#database.run('queues', [names ?? null]);
    return rows.map(queueSummary).sort((one, other) => (one.name < other.name ? -1 : 1));
  }

  async leases(limit: number): Promise<LeaseRow[]> {
    const rows = await this.#database.run('leases', [limit]);
    return rows.map((row) => this.#rows.lease(row));
  }

  async leaseExpiries(before: Before): Promise<LeaseExpiry[]> {
    const rows = await this.#database.run('leaseExpiries', [before.lastExpiry, LIMITS.leaseExpiriesKept]);
    return rows.map((row) => this.#rows.expiry(row));
  }

  /** Since the first jobs of all, by all processes. */
  async totals(): Promise<StoreMetrics['totals']> {
    const [row] = await this.#database.run('totals', []);
    return {
      enqueued: row?.total_enqueued ?? 0,
      claimed: row?.total_claimed ?? 0,
      completed: row?.total_completed ?? 0,
      failed: row?.total_failed ?? 0,
      dead: row?.total_dead ?? 0,
      leaseExpiries: row?.total_expired ?? 0,
      commits: 0,
      bytesWritten: 0,
    };
  }
}

export function pauseOf({ paused_since_ms, paused_until_ms, paused_actor, paused_reason }: PauseRow): QueuePause {
  return {
    sinceMs: paused_since_ms,
    ...(paused_until_ms === null ? {} : { untilMs: paused_until_ms }),
    actor: paused_actor,
    ...(paused_reason === null ? {} : { reason: paused_reason }),
  };
}

function queueSummary(row: QueueRow): QueueSummary {
  const { scheduled, ready, leased, completed, dead, cancelled, retrying } = row;
  const first = Math.floor(row.at_ms / STEP_MS) - STEPS + 1;
  // Most steps of most queues show nothing: of very many queues nothing is asked step by step.
  const series = (column: 1 | 2 | 3) => {
    const shown = new Array<number>(STEPS).fill(0);
    for (const point of row.throughput ?? []) {
      const index = point[0] - first;
      if (index >= 0 && index < STEPS) shown[index]! += point[column];
    }
    return shown;
  };
  return {
    name: row.name,
    counts: { scheduled, ready, leased, completed, dead, cancelled },
    retrying,
    ...(row.oldest_ready_at_ms === null ? {} : { oldestReadyAtMs: row.oldest_ready_at_ms }),
    throughput: {
      fromMs: first * STEP_MS,
      stepMs: STEP_MS,
      enqueued: series(1),
      completed: series(2),
      failed: series(3),
    },
    ...(row.is_paused ? { paused: pauseOf(row) } : {}),
  };
}

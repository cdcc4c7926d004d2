import type { Clock, LeaseExpiry } from '@holdfast/contract';
import { leaseExpiredError } from '@holdfast/contract/rules';
import { formatId } from '../identity.js';
import { LIMITS } from '../limits.js';
import type { JobTable } from '../state/job-table.js';
import { CAUSE } from '../state/record-kinds.js';
import type { Events } from './events.js';
import type { Metrics } from './metrics.js';
import type { Settling } from './settling.js';

export interface ExpiryParts {
  readonly table: JobTable;
  readonly settling: Settling;
  readonly metrics: Metrics;
  readonly events: Events;
  readonly clock: Clock;
  readonly storeTag: string;
  onLeasesDue(): void;
}

/** While nobody answers for the application it is asked again after this long. */
const ASK_AGAIN_MS = 1000;
/** Leases that are ended in one turn: some milliseconds; the next turn follows at once. */
export const EXPIRE_SLICE_LEASES = 500;

/** Ends leases that nobody extended, once the application has been asked whether it is alive. */
export class Expiries {
  readonly #parts: ExpiryParts;
  readonly #last: LeaseExpiry[] = [];
  #askedMs = Number.NEGATIVE_INFINITY;
  /** When the question was asked first that nobody has answered yet; what is asked again is the same question. */
  #questionMs: number | undefined;
  /** When the question was asked that was answered last: the leases that were over then are being ended. */
  #overAtMs: number | undefined;

  constructor(parts: ExpiryParts) {
    this.#parts = parts;
  }

  /** Monotonic time at which somebody has to be asked; Infinity without a lease. */
  nextMs(): number {
    return Math.max(this.#parts.table.leases.nextDeadlineMs, this.#askedMs + ASK_AGAIN_MS);
  }

  /** Or goes on with what an answer has begun. */
  askWhereDue(): void {
    if (this.#overAtMs !== undefined) {
      this.#endSome(this.#overAtMs);
      return;
    }
    const nowMs = this.#parts.clock.monotonicMs();
    if (nowMs < this.nextMs()) return;
    this.#askedMs = nowMs;
    this.#questionMs ??= nowMs;
    this.#parts.onLeasesDue();
  }

  /**
   * Settles the leases that were past their deadline when the application was asked. Those that have passed it since stand: an engine
   * that was held up may still have their extensions before it, behind the answer, so the application is asked for them anew. Very many are
   * settled over several turns.
   */
  expire(): void {
    const askedMs = this.#questionMs;
    if (askedMs === undefined) return;
    this.#askedMs = Number.NEGATIVE_INFINITY;
    this.#questionMs = undefined;
    this.#endSome(askedMs);
  }

  #endSome(askedMs: number): void {
    const { table, settling, events, metrics, clock, storeTag } = this.#parts;
    const { leases, columns } = table;
    const nowMs = clock.monotonicMs();
    for (let left = EXPIRE_SLICE_LEASES; left > 0 && leases.nextDeadlineMs <= askedMs; left--) {
      const lease = leases.top;
      const slot = leases.job[lease]!;
      const worker = leases.worker[lease]!;
      const lateMs = nowMs - leases.deadlineMs[lease]!;
      const error = leaseExpiredError(worker, leases.leaseMs[lease]!, lateMs);
      const { queue, name } = table.shapeOf(slot);
      const attempt = columns.attemptsOf(slot);
      if (events.isOn) events.leaseExpired(slot, worker);
      const then = settling.endAttempt(slot, leases.token[lease]!, CAUSE.leaseExpired, error, 'backoff');
      metrics.leaseExpired(queue, worker);
      const id = formatId(storeTag, columns.id[slot]!);
      this.#keep({ id, queue, name, worker, attempt, atMs: clock.now(), lateMs, then });
    }
    this.#overAtMs = leases.nextDeadlineMs <= askedMs ? askedMs : undefined;
  }

  /** The latest first. */
  read(): LeaseExpiry[] {
    return this.#last.toReversed();
  }

  #keep(expiry: LeaseExpiry): void {
    if (this.#last.length === LIMITS.leaseExpiriesKept) this.#last.shift();
    this.#last.push(expiry);
  }
}

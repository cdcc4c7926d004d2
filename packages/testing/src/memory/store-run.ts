import type {
  Clock,
  ExtendItem,
  LeasedJob,
  LeaseExpiry,
  RecoveryReport,
  SettleAnswer,
  TimerHandle,
  WorkerSummary,
} from '@holdfast/contract';
import { type CheckedClaim, leaseExpiredError, processEndedError, STORE_LIMITS } from '@holdfast/contract/rules';
import { EventBook } from './event-book.js';
import type { JobBook } from './job-book.js';
import { factsOf } from './job-facts.js';
import type { Moment } from './memory-job.js';
import { type WaitingClaim, WaitingClaims } from './waiting-claims.js';
import { WorkerBook } from './worker-book.js';

/** A wait for the wall clock is cut to this, so that a clock that was set is noticed. */
const WALL_WAIT_MS_MAX = 60_000;

/** What goes on between a store's opening and its end: claims that wait, leases that run out, and the one timer for both. */
export class StoreRun {
  /** The last ones, the latest last. */
  expiries: LeaseExpiry[] = [];
  readonly recovery: RecoveryReport;
  readonly events: EventBook;
  readonly #book: JobBook;
  readonly #clock: Clock;
  readonly #waiting = new WaitingClaims();
  readonly #workers = new WorkerBook();
  #timer: TimerHandle | undefined;
  /** Wall-clock time at which jobs may be forgotten. */
  #forgetAtMs = Number.POSITIVE_INFINITY;

  /** @param former how the run before it ended */
  constructor(book: JobBook, clock: Clock, former: 'new' | 'closed' | 'killed') {
    this.#book = book;
    this.#clock = clock;
    const moment = this.#moment();
    if (former !== 'new') book.beginRun(moment);
    this.events = new EventBook(book.epoch, () => clock.now());
    book.tell = this.events.record;
    this.recovery = {
      kind: former === 'new' ? 'new' : former === 'closed' ? 'clean' : 'unclean',
      atMs: moment.wallMs,
      tookMs: 0,
      segments: 0,
      bytesRead: 0,
      recordsReplayed: 0,
      leasesEnded: this.#endFormerLeases(moment),
      epoch: book.epoch,
    };
    this.#catchUp();
  }

  /** Changes jobs, and does what follows from it at once. */
  change<Answer>(change: (moment: Moment) => Answer): Answer {
    this.#catchUp();
    const answer = change(this.#moment());
    this.#catchUp();
    return answer;
  }

  read<Answer>(read: (moment: Moment) => Answer): Answer {
    this.#catchUp();
    return read(this.#moment());
  }

  /** Answers at once where there are jobs or no wait is wanted. */
  claim(request: CheckedClaim, signal: AbortSignal | undefined): LeasedJob[] | Promise<LeasedJob[]> {
    this.#workers.claimed(request, this.#clock.now());
    const jobs = this.change((moment) => this.#book.claim(request, moment));
    if (jobs.length > 0 || request.waitMs === 0) return jobs;
    return new Promise((resolve) => {
      const claim: WaitingClaim = {
        request,
        deadlineMs: this.#clock.monotonicMs() + request.waitMs,
        answer: (found) => {
          signal?.removeEventListener('abort', cancel);
          resolve(found);
        },
      };
      const cancel = () => {
        this.#waiting.cancel(claim);
        this.#setTimer();
      };
      signal?.addEventListener('abort', cancel, { once: true });
      this.#waiting.add(claim);
      this.#setTimer();
    });
  }

  workers(): WorkerSummary[] {
    return this.read(({ wallMs }) => this.#workers.list(this.#book.jobs, this.#waiting.workers, wallMs));
  }

  extend(item: ExtendItem, leaseMs: number, moment: Moment): SettleAnswer {
    const answer = this.#book.extend(item, leaseMs, moment);
    const worker = this.#book.find(item.id)?.lease?.worker;
    if (answer === 'ok' && worker !== undefined) this.#workers.extended(worker, moment.wallMs);
    return answer;
  }

  /** Ends in order: waits are over, and leased jobs are handed back uncounted. */
  close(): void {
    this.#catchUp();
    this.#waiting.endAll();
    const moment = this.#moment();
    for (const { id, lease } of this.#book.leased()) this.#book.release({ id, token: lease.token }, 0, moment);
    this.abandon();
    this.events.end();
  }

  /** Ends without a word: nothing is answered any more. */
  abandon(): void {
    if (this.#timer !== undefined) this.#clock.clearTimer(this.#timer);
    this.#timer = undefined;
  }

  /** Everything that the time that has passed leads to. */
  #catchUp(): void {
    this.#serve();
    this.#waiting.endOverdue(this.#clock.monotonicMs());
    if (this.#expire() > 0) this.#serve();
    this.#forgetAtMs = this.#book.forget(this.#moment());
    this.#setTimer();
  }

  #serve(): void {
    const moment = this.#moment();
    this.#book.expire(moment);
    this.#book.pauses.endDue(moment.wallMs);
    this.#book.becomeDue(moment);
    this.#waiting.serve((request) => this.#book.claim(request, moment));
  }

  /** @returns how many leases were ended */
  #expire(): number {
    const moment = this.#moment();
    const overdue = this.#book.leased().filter(({ lease }) => lease.deadlineMs <= moment.monotonicMs);
    for (const job of overdue) {
      const { worker, leaseMs, deadlineMs } = job.lease;
      const { id, attempts } = job;
      const { queue, name } = job.shape;
      const lateMs = moment.monotonicMs - deadlineMs;
      this.#book.tell({ kind: 'leaseExpired', ...factsOf(job), attempt: attempts, worker });
      this.#book.endAttempt(job, 'leaseExpired', leaseExpiredError(worker, leaseMs, lateMs), 'backoff', moment);
      this.#book.totals.leaseExpiries++;
      const then = job.state === 'dead' ? 'dead' : 'scheduled';
      this.expiries.push({ id, queue, name, worker, attempt: attempts, atMs: moment.wallMs, lateMs, then });
    }
    this.expiries = this.expiries.slice(-STORE_LIMITS.leaseExpiriesKept);
    return overdue.length;
  }

  #endFormerLeases(moment: Moment): RecoveryReport['leasesEnded'] {
    const ended = { retried: 0, dead: 0 };
    for (const job of this.#book.leasedInOrder()) {
      this.#book.endAttempt(job, 'processEnded', processEndedError(job.lease.worker), 'backoff', moment);
      if (job.state === 'dead') ended.dead++;
      else ended.retried++;
    }
    return ended;
  }

  #setTimer(): void {
    this.abandon();
    const atMs = Math.min(this.#nextDueMs(), this.#waiting.nextDeadlineMs, this.#nextExpiryMs());
    if (atMs === Number.POSITIVE_INFINITY) return;
    const idle = this.#waiting.size === 0;
    this.#timer = this.#clock.setTimer(Math.max(0, atMs - this.#clock.monotonicMs()), () => this.#catchUp(), idle);
  }

  /** Monotonic time at which to look at the wall clock again: for jobs that become due or expire, and for pauses that end. */
  #nextDueMs(): number {
    const { jobs, pauses } = this.#book;
    const times = [
      ...jobs.filter(({ state }) => state === 'scheduled').map(({ runAtMs }) => runAtMs),
      ...jobs.map(({ expiresAtMs }) => expiresAtMs),
      pauses.nextEndMs(),
      this.#forgetAtMs,
    ].filter((atMs) => atMs !== undefined);
    const nextMs = Math.min(...times);
    if (nextMs === Number.POSITIVE_INFINITY) return nextMs;
    const waitMs = Math.max(0, nextMs - this.#clock.now());
    return this.#clock.monotonicMs() + Math.min(waitMs, WALL_WAIT_MS_MAX);
  }

  #nextExpiryMs(): number {
    return Math.min(Number.POSITIVE_INFINITY, ...this.#book.leased().map(({ lease }) => lease.deadlineMs));
  }

  #moment(): Moment {
    return { wallMs: this.#clock.now(), monotonicMs: this.#clock.monotonicMs() };
  }
}

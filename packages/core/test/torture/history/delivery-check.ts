import type { RedeliveryCause } from './check-report.js';
import type { EnqueueCheck } from './enqueue-check.js';
import type { ClaimAnswered, ClaimCalled, JobDelivered } from './history-event.js';
import type { JobHistory } from './job-history.js';
import type { Ledger } from './ledger.js';

/** Claims: to whom a job goes, when, how often, and under which token. */
export class DeliveryCheck {
  readonly #ledger: Ledger;
  readonly #enqueues: EnqueueCheck;
  /** The greatest token that was answered before a claim was made. */
  readonly #tokensBefore = new Map<number, string>();

  constructor(ledger: Ledger, enqueues: EnqueueCheck) {
    this.#ledger = ledger;
    this.#enqueues = enqueues;
  }

  called(event: ClaimCalled): void {
    this.#ledger.calls.set(event.call, event);
    this.#tokensBefore.set(event.call, this.#ledger.lastToken);
  }

  answered(event: ClaimAnswered): void {
    const ledger = this.#ledger;
    const claim = ledger.takeCall(event.call, 'claim');
    if (claim === undefined) return;
    const before = this.#tokensBefore.get(event.call) ?? '';
    this.#tokensBefore.delete(event.call);
    for (const delivered of event.jobs) {
      ledger.report.deliveries++;
      if (delivered.token <= before) {
        ledger.violated(
          'token order',
          `${delivered.token} is not above ${before}, which was answered before its claim`,
        );
      }
      ledger.checkEpoch(Number.parseInt(delivered.token.slice(0, 6), 16), delivered.token);
      if (delivered.token > ledger.lastToken) ledger.lastToken = delivered.token;
      const job = this.#enqueues.meet(delivered.id, delivered, delivered);
      if (job !== undefined) this.#deliver(job, delivered, claim, event);
    }
  }

  #deliver(
    job: JobHistory,
    { token, attempt }: JobDelivered,
    claim: ClaimCalled,
    { atMs, wallMs }: ClaimAnswered,
  ): void {
    const ledger = this.#ledger;
    this.#checkState(job, token, claim);
    this.#checkAttempt(job, attempt);
    this.#checkFormerLease(job, token, atMs);
    this.#checkStart(job, wallMs);
    job.lease = { token, attempt, run: ledger.run, endsAtMs: claim.atMs + claim.leaseMs, settled: false };
    job.setAttempts(attempt, ledger.blindOf(job.asked.queue));
    job.deliveredAtMs.push(atMs);
    job.changedAtMs = atMs;
    job.dead = 'no';
    job.redriveAsked = false;
  }

  #checkState(job: JobHistory, token: string, claim: ClaimCalled): void {
    const ledger = this.#ledger;
    if (job.acked !== undefined && !ledger.takeBackAck(job)) {
      ledger.violated('ack is final', `${job} was acked with ${job.acked.token} and is delivered with ${token}`);
    }
    // A claim that was called before may have had the job in its hands already.
    if (job.ended !== undefined && claim.atMs > job.ended.atMs) {
      ledger.violated('acts stay', `${job} was ended by ${job.ended.how} and is delivered with ${token}`);
    }
    if (job.dead === 'yes' && !job.redriveAsked) {
      ledger.violated('dead only at max', `${job} is dead and is delivered with ${token}`);
    }
  }

  #checkAttempt(job: JobHistory, attempt: number): void {
    const ledger = this.#ledger;
    const most = ledger.highOf(job) + 1;
    if (attempt < job.low + 1 || attempt > most) {
      ledger.violated('attempts', `${job} is delivered as attempt ${attempt}, expected ${job.low + 1} to ${most}`);
    }
    const { maxAttempts } = job.asked;
    if (maxAttempts !== null && attempt > maxAttempts) {
      ledger.violated('attempts', `${job} is delivered as attempt ${attempt} of ${maxAttempts}`);
    }
  }

  #checkFormerLease(job: JobHistory, token: string, atMs: number): void {
    const ledger = this.#ledger;
    const { lease } = job;
    if (lease === undefined) return;
    if (token <= lease.token)
      ledger.violated('token order', `${job} had ${lease.token} and is delivered with ${token}`);
    const cause = this.#causeOf(job, atMs);
    if (cause === undefined) {
      const early = Math.round(lease.endsAtMs - atMs);
      ledger.violated(
        'fencing',
        `${job} is leased with ${lease.token} for ${early} ms more and is delivered with ${token}`,
      );
    } else if (job.acked === undefined) {
      ledger.report.redeliveries[cause]++;
    }
  }

  /** Why the lease before has ended; `undefined` if nothing can have ended it. */
  #causeOf(job: JobHistory, atMs: number): RedeliveryCause | undefined {
    const { lease } = job;
    if (job.redriveAsked) return 'redriven';
    if (lease?.asked === 'fail') return 'failed';
    if (lease?.asked === 'release') return 'released';
    if (lease?.run !== this.#ledger.run) return 'restart';
    return atMs >= lease.endsAtMs ? 'leaseExpired' : undefined;
  }

  #checkStart(job: JobHistory, wallMs: number): void {
    const { report, openedWallMs, options } = this.#ledger;
    if (options.wallClockIsSet) return;
    if (wallMs < job.dueWallMs) {
      this.#ledger.violated('delay', `${job} is delivered ${job.dueWallMs - wallMs} ms before its time`);
    }
    if (job.asked.delayMs > 0 && job.deliveredAtMs.length === 0 && job.high === 0) {
      report.latestStartMs = Math.max(report.latestStartMs, wallMs - Math.max(job.dueWallMs, openedWallMs));
    }
  }
}

import type { LeasedJob } from '@holdfast/contract';
import type { CheckedClaim } from '@holdfast/contract/rules';

/** A claim that found nothing and waits. */
export interface WaitingClaim {
  readonly request: CheckedClaim;
  /** Monotonic. */
  readonly deadlineMs: number;
  answer(jobs: LeasedJob[]): void;
}

/** Claims that wait for a job, in order of their calls: whoever waits longest is served first. */
export class WaitingClaims {
  #claims: WaitingClaim[] = [];

  get size(): number {
    return this.#claims.length;
  }

  /** Who waits. */
  get workers(): ReadonlySet<string> {
    return new Set(this.#claims.map(({ request }) => request.worker));
  }

  /** When the first wait is over; Infinity without one. */
  get nextDeadlineMs(): number {
    return Math.min(Number.POSITIVE_INFINITY, ...this.#claims.map(({ deadlineMs }) => deadlineMs));
  }

  add(claim: WaitingClaim): void {
    this.#claims.push(claim);
  }

  /** Ends a wait with nothing. A claim that was answered already is left alone. */
  cancel(claim: WaitingClaim): void {
    this.#end(claim, []);
  }

  /** Gives each what there is for it; those who get nothing go on waiting. */
  serve(take: (request: CheckedClaim) => LeasedJob[]): void {
    for (const claim of [...this.#claims]) {
      const jobs = take(claim.request);
      if (jobs.length > 0) this.#end(claim, jobs);
    }
  }

  endOverdue(monotonicMs: number): void {
    for (const claim of [...this.#claims]) if (claim.deadlineMs <= monotonicMs) this.#end(claim, []);
  }

  endAll(): void {
    for (const claim of [...this.#claims]) this.#end(claim, []);
  }

  #end(claim: WaitingClaim, jobs: LeasedJob[]): void {
    if (!this.#claims.includes(claim)) return;
    this.#claims = this.#claims.filter((other) => other !== claim);
    claim.answer(jobs);
  }
}

import type { CallFailed, SettleAnswered, SettleCalled, SettleItem } from './history-event.js';
import type { JobHistory } from './job-history.js';
import type { Ledger } from './ledger.js';

/** Calls that end or extend leases: only the live lease's token changes anything, and what it changed stays. */
export class SettleCheck {
  readonly #ledger: Ledger;

  constructor(ledger: Ledger) {
    this.#ledger = ledger;
  }

  called(event: SettleCalled): void {
    this.#ledger.calls.set(event.call, event);
    for (const { id, token } of event.items) {
      const job = this.#ledger.byId.get(id);
      if (job !== undefined) this.#widen(job, token, event);
    }
  }

  /** From the call on it may be applied, whether or not it is ever answered. */
  #widen(job: JobHistory, token: string, { kind, dead, leaseMs, atMs }: SettleCalled): void {
    if (kind === 'ack') job.askAck(token);
    const { lease } = job;
    if (lease?.token !== token || lease.run !== this.#ledger.run || lease.settled) return;
    if (kind === 'extend') {
      lease.endsAtMs = Math.min(lease.endsAtMs, atMs + (leaseMs ?? 0));
      return;
    }
    lease.asked ??= kind;
    if (kind === 'release') job.low = Math.min(job.low, lease.attempt - 1);
    if (kind !== 'fail') return;
    if (dead || lease.attempt === job.asked.maxAttempts) job.dead = 'maybe';
    if (dead) job.deadAsked = true;
  }

  answered(event: SettleAnswered): void {
    const call = this.#ledger.takeCall(event.call, 'settle');
    if (call === undefined) return;
    for (const [index, item] of call.items.entries()) {
      const answer = event.answers[index];
      const job = this.#ledger.byId.get(item.id);
      if (job === undefined) {
        if (answer !== 'missing') this.#ledger.violated('fencing', `${item.id} is unknown and was answered ${answer}`);
      } else if (answer === 'ok') this.#settled(job, item, call, event.atMs);
      else this.#refused(job, item, call, event.atMs, answer);
    }
  }

  #settled(job: JobHistory, { token }: SettleItem, call: SettleCalled, atMs: number): void {
    const { lease } = job;
    const live = lease?.token === token && lease.run === this.#ledger.run && !lease.settled ? lease : undefined;
    if (live === undefined) {
      if (call.kind === 'ack' && isRepeated(job, token)) job.acked ??= { token, atMs };
      else {
        this.#ledger.violated('fencing', `${job}: ${call.kind} with ${token} was answered ok, but its lease is over`);
      }
      return;
    }
    job.changedAtMs = atMs;
    if (job.ended !== undefined && call.atMs > job.ended.atMs) {
      this.#ledger.violated('acts stay', `${job} was ended by ${job.ended.how} before its ${call.kind} with ${token}`);
    }
    if (call.kind === 'extend') live.endsAtMs = call.atMs + (call.leaseMs ?? 0);
    else this.#end(job, live.attempt, call, token, atMs);
  }

  #end(job: JobHistory, attempt: number, call: SettleCalled, token: string, atMs: number): void {
    const { report } = this.#ledger;
    if (job.lease !== undefined) job.lease.settled = true;
    if (call.kind === 'ack') {
      job.acked = { token, atMs };
      report.acked++;
    } else if (call.kind === 'release') {
      job.setAttempts(attempt - 1, this.#ledger.blindOf(job.asked.queue));
    } else if (call.dead || attempt === job.asked.maxAttempts) {
      job.dead = 'yes';
    } else {
      job.dead = 'no';
    }
  }

  #refused(job: JobHistory, { token }: SettleItem, call: SettleCalled, atMs: number, answer: string | undefined): void {
    const ledger = this.#ledger;
    const { lease } = job;
    ledger.report.staleRefused++;
    if (call.kind === 'ack') job.refuseAck(token);
    if (answer === 'missing' && job.mustExist && !job.mayBeForgotten) ledger.violated('no loss', `${job} is missing`);
    if (lease?.token !== token || lease.run !== ledger.run) return;
    const acted = job.cancelAsked || job.removeAsked || job.ended !== undefined;
    const ownWay = acted || lease.settled || (lease.asked !== undefined && lease.asked !== call.kind);
    if (!ownWay && atMs < lease.endsAtMs && job.acked === undefined) {
      const early = Math.round(lease.endsAtMs - atMs);
      ledger.violated('lease time', `${job}: ${call.kind} with ${token} was refused ${early} ms before the lease ends`);
    }
    if (lease.attempt === job.asked.maxAttempts && job.dead === 'no') job.dead = 'maybe';
  }

  failed(call: SettleCalled, event: CallFailed): void {
    if (event.outcome === 'unknown' || call.kind !== 'ack') return;
    for (const { id, token } of call.items) this.#ledger.byId.get(id)?.refuseAck(token);
  }
}

/** The same ack once more, the first having been answered ok or not at all: it may have been this very token that completed the job. */
function isRepeated(job: JobHistory, token: string): boolean {
  return job.acked?.token === token || (job.acksAsked.get(token) ?? 0) > 1;
}

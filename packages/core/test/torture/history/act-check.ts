import type { ActAnswered, ActCalled } from './history-event.js';
import type { JobHistory } from './job-history.js';
import type { Ledger } from './ledger.js';

/** Acts of operators. They are durable when they are answered: no power cut takes them back. */
export class ActCheck {
  readonly #ledger: Ledger;

  constructor(ledger: Ledger) {
    this.#ledger = ledger;
  }

  called(event: ActCalled): void {
    this.#ledger.calls.set(event.call, event);
    const job = this.#ledger.byId.get(event.id);
    if (job === undefined) return;
    if (event.kind === 'cancel') job.cancelAsked = true;
    else if (event.kind === 'remove') job.removeAsked = true;
    else {
      job.redriveAsked = true;
      job.highBeforeRedrive = Math.max(this.#ledger.highOf(job), job.highBeforeRedrive ?? 0);
      job.low = 0;
    }
  }

  answered(event: ActAnswered): void {
    const call = this.#ledger.takeCall(event.call, 'act');
    const job = call === undefined ? undefined : this.#ledger.byId.get(call.id);
    if (call === undefined || job === undefined) return;
    if (event.done) this.#ledger.prove(call);
    job.changedAtMs = event.atMs;
    if (call.kind === 'redrive') this.#redriven(job, event.done);
    else this.#ended(job, call.kind, event);
  }

  #redriven(job: JobHistory, done: boolean): void {
    const ledger = this.#ledger;
    if (done) ledger.report.redriven++;
    job.highBeforeRedrive = undefined;
    // It may have been delivered again since: that has set the bounds already.
    if (done && job.redriveAsked) {
      job.dead = 'no';
      job.setAttempts(0, ledger.blindOf(job.asked.queue));
    }
    if (done) return;
    job.redriveAsked = false;
    if (job.dead === 'yes' && !job.removeAsked && job.ended === undefined) {
      ledger.violated('dead only at max', `${job} is dead and was not redriven`);
    }
  }

  #ended(job: JobHistory, how: 'cancel' | 'remove', { done, atMs }: ActAnswered): void {
    const { report } = this.#ledger;
    if (!done) return;
    job.ended = { how, atMs };
    if (how === 'cancel') report.cancelled++;
    else report.removed++;
  }
}

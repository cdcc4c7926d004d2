import type { CallFailed, EnqueueAnswered, EnqueueCalled, JobAsked, PayloadSeen } from './history-event.js';
import { JobHistory } from './job-history.js';
import type { Ledger } from './ledger.js';

/** What of a job is shown beside its payload. */
type Shown = Pick<JobAsked, 'queue' | 'priority' | 'maxAttempts'>;

/** Enqueues: what was answered is there, what was rejected is not, and what nobody asked for does not exist. */
export class EnqueueCheck {
  readonly #ledger: Ledger;
  /** Calls whose fate nobody told, with their jobs: the next open shows it. */
  #untold = new Map<number, JobHistory[]>();
  readonly #jobsOf = new Map<number, JobHistory[]>();
  /** The greatest id number that was answered before a call was made. */
  readonly #idsBefore = new Map<number, number>();

  constructor(ledger: Ledger) {
    this.#ledger = ledger;
  }

  called(event: EnqueueCalled): void {
    const { byKey, live, calls } = this.#ledger;
    calls.set(event.call, event);
    this.#idsBefore.set(event.call, this.#ledger.lastIdNumber);
    const jobs = event.jobs.map((asked) => new JobHistory(asked, event.call, event.wallMs));
    for (const job of jobs) {
      job.blindClaims = this.#ledger.blindOf(job.asked.queue);
      byKey.set(job.asked.key, job);
      live.add(job);
    }
    this.#jobsOf.set(event.call, jobs);
  }

  answered(event: EnqueueAnswered): void {
    const ledger = this.#ledger;
    const call = ledger.takeCall(event.call, 'enqueue');
    if (call === undefined) return;
    ledger.prove(call);
    const jobs = this.#jobsOf.get(event.call) ?? [];
    const before = this.#idsBefore.get(event.call) ?? -1;
    this.#forget(event.call);
    if (event.ids.length !== jobs.length) ledger.violated('error truth', `call ${event.call} was answered in part`);
    for (const [index, job] of jobs.entries()) {
      const id = event.ids[index] ?? '';
      if (ledger.byId.get(id) !== job && ledger.byId.has(id)) ledger.violated('ids', `${id} was given out twice`);
      ledger.give(job, id);
      const number = idNumber(id);
      if (number <= before) ledger.violated('ids', `${id} is not above the ids answered before it was asked for`);
      ledger.lastIdNumber = Math.max(ledger.lastIdNumber, number);
      job.enqueue = 'ok';
      ledger.report.enqueued++;
    }
  }

  failed(event: CallFailed): void {
    const jobs = this.#jobsOf.get(event.call) ?? [];
    if (event.outcome === 'unknown') this.#tellNothing(event.call);
    this.#forget(event.call);
    if (event.outcome === 'unknown') return;
    for (const job of jobs) {
      job.enqueue = 'rejected';
      this.#ledger.live.delete(job);
      this.#ledger.report.rejected++;
      if (job.visible) this.#ledger.violated('error truth', `${job} was rejected and had been delivered`);
    }
  }

  /** The process is gone: nobody will answer its calls. */
  ended(): void {
    for (const call of [...this.#jobsOf.keys()]) this.#tellNothing(call);
  }

  /** A job is shown or delivered. @returns its history; `undefined` if nobody asked for it */
  meet(id: string, seen: PayloadSeen | undefined, shown: Shown): JobHistory | undefined {
    const ledger = this.#ledger;
    const known = ledger.byId.get(id);
    const job = known ?? (seen === undefined ? undefined : ledger.byKey.get(seen.key));
    if (job === undefined) {
      ledger.violated('no phantom', `${id} (${seen?.key ?? 'payload not shown'}) was never asked for`);
      return undefined;
    }
    if (job.id !== id) ledger.give(job, id);
    if (!matches(job, seen, shown)) ledger.violated('no phantom', `${job} is not what was asked for`);
    if (job.enqueue === 'rejected') ledger.violated('error truth', `${job} was rejected and is there`);
    if (job.absent) ledger.violated('error truth', `${job} was absent after an open and is there now`);
    job.visible = true;
    return job;
  }

  /** All rows after an open have been met: each commit is there whole or not at all. */
  settleUntold(): void {
    const { report, live } = this.#ledger;
    for (const [call, jobs] of this.#untold) {
      const found = jobs.filter((job) => job.visible).length;
      if (found > 0 && found < jobs.length) {
        this.#ledger.violated('whole commits', `${found} of the ${jobs.length} jobs of call ${call} are there`);
      }
      report.unknownFound += found;
      report.unknownAbsent += jobs.length - found;
      for (const job of jobs) {
        if (job.visible) continue;
        job.absent = true;
        live.delete(job);
      }
    }
    this.#untold = new Map();
  }

  #tellNothing(call: number): void {
    this.#untold.set(call, this.#jobsOf.get(call) ?? []);
    this.#forget(call);
  }

  #forget(call: number): void {
    this.#jobsOf.delete(call);
    this.#idsBefore.delete(call);
  }
}

function matches(job: JobHistory, seen: PayloadSeen | undefined, shown: Shown): boolean {
  const { asked } = job;
  if (seen !== undefined && (seen.key !== asked.key || seen.hash !== asked.hash)) return false;
  return shown.queue === asked.queue && shown.priority === asked.priority && shown.maxAttempts === asked.maxAttempts;
}

function idNumber(id: string): number {
  return Number.parseInt(id.slice(id.indexOf('-') + 1), 36);
}

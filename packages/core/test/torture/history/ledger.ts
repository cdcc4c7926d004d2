import { CheckReport, type Invariant } from './check-report.js';
import type { ActCalled, ClaimCalled, EnqueueCalled, SettleCalled } from './history-event.js';
import type { JobHistory } from './job-history.js';

export type OpenCall = EnqueueCalled | ClaimCalled | SettleCalled | ActCalled;

export interface CheckOptions {
  /** What was answered this long before a power cut or a failed sync, and is no enqueue, may be taken back. */
  readonly takenBackMs: number;
  /** A job that can start and that somebody waits for starts at the latest this much later. */
  readonly startWithinMs: number;
  /** The wall clock was set during this history: it does not say whether a job started in time. */
  readonly wallClockIsSet: boolean;
}

export const CHECK_DEFAULTS: CheckOptions = { takenBackMs: 2000, startWithinMs: 10_000, wallClockIsSet: false };

/** What the checks know in common while they read a history. */
export class Ledger {
  readonly report = new CheckReport();
  readonly byKey = new Map<string, JobHistory>();
  readonly byId = new Map<string, JobHistory>();
  /** Jobs that are neither surely completed nor surely absent. */
  readonly live = new Set<JobHistory>();
  readonly calls = new Map<number, OpenCall>();
  /** Unanswered claims so far, by queue. */
  readonly blindClaims = new Map<string, number>();
  /** Counts the engines: a process that reopens its store has several. */
  run = 0;
  epoch = 0;
  /** A process that reopens its store does not say with which epoch: only that it is greater. */
  epochTold = true;
  line = 0;
  storeId: string | undefined;
  /** Of this process; jobs cannot have started before. */
  openedWallMs = 0;
  /**
   * All that was answered before this is durable, because something was enqueued after it and that was answered: a log keeps a commit only
   * with all commits before it.
   */
  provenUpToMs = 0;
  /** When the last engine ended: what was answered before that, a later end takes back no more. */
  endedAtMs = 0;
  /** The greatest token answered so far. */
  lastToken = '';
  /** The greatest number of an id answered so far. */
  lastIdNumber = -1;

  constructor(readonly options: CheckOptions) {}

  violated(invariant: Invariant, problem: string): void {
    this.report.violated(invariant, this.line, problem);
  }

  /** Removes and answers an open call of the kind. */
  takeCall<Event extends OpenCall['event']>(
    call: number,
    event: Event,
  ): Extract<OpenCall, { readonly event: Event }> | undefined {
    const open = this.calls.get(call);
    if (open === undefined || open.event !== event) {
      this.violated('liveness', `call ${call} was answered and was not open as ${event}`);
      return undefined;
    }
    this.calls.delete(call);
    return open as Extract<OpenCall, { readonly event: Event }>;
  }

  /** A call that is durable when it is answered, was. */
  prove(call: OpenCall): void {
    this.provenUpToMs = Math.max(this.provenUpToMs, call.atMs);
  }

  blindOf(queue: string): number {
    return this.blindClaims.get(queue) ?? 0;
  }

  /** The most attempts that can be counted: each claim nobody heard the answer of may have leased the job. */
  highOf(job: JobHistory): number {
    return job.high + this.blindOf(job.asked.queue) - job.blindClaims;
  }

  /** A claim ended without an answer. */
  addBlindClaim(claim: ClaimCalled): void {
    for (const queue of claim.queues) this.blindClaims.set(queue, this.blindOf(queue) + 1);
  }

  checkEpoch(epoch: number, what: string): void {
    if (this.epochTold ? epoch !== this.epoch : epoch <= this.epoch) {
      this.violated('token order', `${what} is of epoch ${epoch}, the last one told is ${this.epoch}`);
    }
  }

  /** An answered ack turns out not to have been applied. @returns whether a power cut or a failed disk explains that */
  takeBackAck(job: JobHistory): boolean {
    const { report } = this;
    const ageMs = job.doubtedAckMs;
    if (ageMs === undefined) return false;
    report.acksTakenBack++;
    report.oldestTakenBackMs = Math.max(report.oldestTakenBackMs, ageMs);
    job.acked = undefined;
    job.doubtedAckMs = undefined;
    return true;
  }

  give(job: JobHistory, id: string): void {
    const other = this.byId.get(id);
    if (other !== undefined && other !== job) this.violated('ids', `${other} and "${job.asked.key}" have one id`);
    if (job.id !== undefined && job.id !== id) this.violated('ids', `${job} is there again as ${id}`);
    job.id = id;
    this.byId.set(id, job);
  }
}

import { ActCheck } from './act-check.js';
import type { CheckReport } from './check-report.js';
import { DeliveryCheck } from './delivery-check.js';
import { EnqueueCheck } from './enqueue-check.js';
import type { CallFailed, HealthChanged, HistoryEvent, ProcessEnded, StoreOpened } from './history-event.js';
import { CHECK_DEFAULTS, type CheckOptions, Ledger } from './ledger.js';
import { ReopenCheck } from './reopen-check.js';
import { SettleCheck } from './settle-check.js';

type StoreEvent = 'opened' | 'row' | 'counts' | 'failed' | 'health' | 'syncs' | 'closed' | 'ended';
type CallEvent = Exclude<HistoryEvent, { readonly event: StoreEvent }>;

/**
 * Reads the history of one store, over all its processes, and finds what the store must not do. It knows only what was asked, what was
 * answered and how each process ended, so it judges the promises and not the code.
 *
 * Where an answer is missing both are allowed, until an open shows which one it was.
 */
export class HistoryChecker {
  readonly #ledger: Ledger;
  readonly #enqueues: EnqueueCheck;
  readonly #deliveries: DeliveryCheck;
  readonly #settles: SettleCheck;
  readonly #acts: ActCheck;
  readonly #reopens: ReopenCheck;
  #failed = false;
  #closed = false;
  #closedInOrder = false;

  constructor(options: Partial<CheckOptions> = {}) {
    this.#ledger = new Ledger({ ...CHECK_DEFAULTS, ...options });
    this.#enqueues = new EnqueueCheck(this.#ledger);
    this.#deliveries = new DeliveryCheck(this.#ledger, this.#enqueues);
    this.#settles = new SettleCheck(this.#ledger);
    this.#acts = new ActCheck(this.#ledger);
    this.#reopens = new ReopenCheck(this.#ledger, this.#enqueues);
  }

  get report(): CheckReport {
    return this.#ledger.report;
  }

  take(event: HistoryEvent): void {
    this.#ledger.line++;
    if (this.#failed) this.#checkPoison(event);
    switch (event.event) {
      case 'opened':
        this.#opened(event);
        break;
      case 'row':
        this.#reopens.row(event);
        break;
      case 'counts':
        this.#reopens.counts(event);
        break;
      case 'failed':
        this.#callFailed(event);
        break;
      case 'health':
        this.#healthChanged(event);
        break;
      case 'syncs':
        this.report.longestSyncMs = Math.max(this.report.longestSyncMs, event.longestMs);
        break;
      case 'closed':
        this.#closed = true;
        break;
      case 'ended':
        this.#processEnded(event);
        break;
      default:
        this.#takeCall(event);
    }
  }

  /** The history is at its end, and its last process was told to settle every job before another one looked. */
  finish(): CheckReport {
    const { live, report } = this.#ledger;
    for (const job of live) {
      if (job.state === 'dead') report.dead++;
      else if (job.state !== 'completed' && job.state !== 'cancelled')
        this.#ledger.violated('liveness', `${job} is ${job.state} in the end`);
    }
    if (report.latestStartMs > this.#ledger.options.startWithinMs) {
      this.#ledger.violated('liveness', `a job was started ${report.latestStartMs} ms after its time`);
    }
    return report;
  }

  #takeCall(event: CallEvent): void {
    switch (event.event) {
      case 'enqueue':
        this.#enqueues.called(event);
        break;
      case 'enqueued':
        this.#enqueues.answered(event);
        break;
      case 'claim':
        this.#deliveries.called(event);
        break;
      case 'claimed':
        this.#deliveries.answered(event);
        break;
      case 'settle':
        this.#settles.called(event);
        break;
      case 'settled':
        this.#settles.answered(event);
        break;
      case 'act':
        this.#acts.called(event);
        break;
      case 'acted':
        this.#acts.answered(event);
        break;
      case 'started':
        break;
    }
  }

  #opened(event: StoreOpened): void {
    const ledger = this.#ledger;
    const { report } = ledger;
    report.opens++;
    if (event.recovery === 'unclean') report.uncleanOpens++;
    if (event.tornBytes > 0) report.tornTails++;
    report.segmentsRetired = event.firstSegment - 1;
    report.bytesMost = Math.max(report.bytesMost, event.bytes);
    if (this.#closedInOrder && event.recovery !== 'clean') {
      ledger.violated('whole commits', `the store was closed in order, and its log is ${event.recovery}`);
    }
    if (event.epoch <= ledger.epoch) ledger.violated('ids', `epoch ${event.epoch} follows ${ledger.epoch}`);
    if (ledger.storeId !== undefined && event.storeId !== ledger.storeId) {
      ledger.violated('no loss', `store ${ledger.storeId} is gone, ${event.storeId} is in its place`);
    }
    this.#closedInOrder = false;
    ledger.storeId = event.storeId;
    ledger.epoch = event.epoch;
    ledger.epochTold = true;
    ledger.openedWallMs = event.wallMs;
    this.#reopens.opened();
  }

  #callFailed(event: CallFailed): void {
    const call = this.#ledger.calls.get(event.call);
    if (call === undefined) return;
    this.#ledger.calls.delete(event.call);
    if (call.event === 'enqueue') this.#enqueues.failed(event);
    else if (call.event === 'settle') this.#settles.failed(call, event);
    else if (call.event === 'claim' && event.outcome === 'unknown') this.#ledger.addBlindClaim(call);
  }

  #healthChanged({ status, atMs }: HealthChanged): void {
    if (status === 'failed' && !this.#failed) {
      this.#ledger.epochTold = false;
      this.#reopens.engineEnded({ atMs }, this.#ledger.options.takenBackMs);
    }
    this.#failed = status === 'failed';
  }

  #checkPoison(event: HistoryEvent): void {
    const answered = event.event === 'enqueued' || event.event === 'settled' || event.event === 'acted';
    if (answered || (event.event === 'claimed' && event.jobs.length > 0)) {
      this.#ledger.violated('poison', `call ${event.call} was answered after the store had failed`);
    }
  }

  #processEnded(event: ProcessEnded): void {
    const { calls } = this.#ledger;
    if (this.#closed && event.how === 'exit') {
      for (const call of calls.values()) {
        this.#ledger.violated(
          'liveness',
          `call ${call.call} (${call.event}) was not answered although the store closed`,
        );
      }
      this.#closedInOrder = true;
    }
    for (const call of calls.values()) if (call.event === 'claim') this.#ledger.addBlindClaim(call);
    calls.clear();
    this.#enqueues.ended();
    this.#reopens.engineEnded(event, event.how === 'power' ? this.#ledger.options.takenBackMs : 0);
    this.#failed = false;
    this.#closed = false;
  }
}

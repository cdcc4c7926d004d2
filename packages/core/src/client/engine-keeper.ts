import { HoldfastError, StoreClosedError, StoreFailedError, type TimerHandle } from '@holdfast/contract';
import type { CallTable } from '../protocol/turn-messages.js';
import { EngineRun, type EngineRunOptions, plainWords } from './engine-run.js';
import { HealthReport } from './health-report.js';

export interface EngineKeeperOptions<Calls extends CallTable> extends Omit<EngineRunOptions<Calls>, 'onNotice'> {
  /** Called with the greeting of every engine that opened. */
  onOpened(greeting: unknown): void;
  /** @returns what an engine's notice says: why it takes no new jobs, or that it does; `undefined` where it says something else */
  readNotice(notice: unknown): { readonly full: string | undefined } | undefined;
  /** Asks the engine to make everything durable and to end. */
  askToClose(): Promise<void>;
}

/** Calls made while the engine is being reopened wait this long, counted from its loss. Later ones are rejected at once. */
const WAIT_FOR_REOPEN_MS = 10_000;
/** What may wait then, in bytes. */
const WAIT_FOR_REOPEN_WEIGHT_MAX = 64 * 1024 * 1024;
const REOPEN_DELAY_MS_MIN = 100;
const REOPEN_DELAY_MS_MAX = 5000;
/** An engine that ran this long was well: the next reopen is tried soon again. */
const STEADY_MS = 10_000;
/** An engine that does not close within this time is ended. */
const CLOSE_MS_MAX = 30_000;

/** Opening again cannot help: somebody has to look first. */
const LASTING = new Set<HoldfastError['code']>(['LOG_CORRUPT', 'LOG_VERSION']);

/**
 * Keeps an engine running: opens it, opens it again with growing pauses when it is lost, and closes it. All that it needs to know
 * to go on is in the log, so a lost engine costs only the calls that were under way.
 */
export class EngineKeeper<Calls extends CallTable> {
  readonly health = new HealthReport();
  readonly #options: EngineKeeperOptions<Calls>;
  #run: EngineRun<Calls> | undefined;
  #openedAtMs = 0;
  /** Why the engine takes no new jobs, if so. */
  #full: string | undefined;
  #reopenDelayMs = REOPEN_DELAY_MS_MIN;
  #reopenTimer: TimerHandle | undefined;
  #waitTimer: TimerHandle | undefined;
  #holdTimer: TimerHandle | undefined;
  /** Calls are taken: the engine is open, or lost not long ago. */
  #taking = false;
  #closing: Promise<void> | undefined;

  constructor(options: EngineKeeperOptions<Calls>) {
    this.#options = options;
  }

  /** Opens the engine for the first time. */
  async open(): Promise<void> {
    try {
      await this.#start(0);
    } catch (error) {
      this.health.change({ status: 'closed', detail: 'The store could not be opened.' });
      throw error;
    }
  }

  /** Why no call can be taken now, if so. */
  refusal(): HoldfastError | undefined {
    if (this.#closing !== undefined) return new StoreClosedError();
    const { calls } = this.#options;
    if (this.#taking && (this.#isOpen || calls.waitingWeight < WAIT_FOR_REOPEN_WEIGHT_MAX)) return;
    return new StoreFailedError('rejected', this.health.now.detail ?? 'The engine is gone.');
  }

  /** Told when calls are open and when none is: an idle store lets its process end. */
  setBusy(busy: boolean): void {
    if (this.#isOpen) this.#run?.hold(busy);
    else this.#holdWhileWaiting(busy);
  }

  /** New jobs may be refused by the engine itself then. */
  get #isOpen(): boolean {
    return this.health.now.status === 'open' || this.health.now.status === 'full';
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #start(reopened: number): Promise<void> {
    const run = new EngineRun({ ...this.#options, onNotice: (notice) => this.#noticed(notice) });
    this.#run = run;
    this.#full = undefined;
    this.#options.onOpened(await run.ready);
    if (this.#closing !== undefined) return;
    this.#openedAtMs = this.#options.clock.monotonicMs();
    this.#clearTimers();
    this.#taking = true;
    run.hold(this.#options.calls.busy);
    this.#tellOpen(reopened);
    void run.gone.then((why) => this.#lost(run, why));
  }

  /** May come before the greeting has been taken up. */
  #noticed(notice: unknown): void {
    const read = this.#options.readNotice(notice);
    if (read === undefined) return;
    this.#full = read.full;
    if (this.#isOpen) this.#tellOpen(this.health.now.reopened);
  }

  #tellOpen(reopened: number): void {
    const detail = this.#full;
    this.health.change(detail === undefined ? { status: 'open', reopened } : { status: 'full', detail, reopened });
  }

  #lost(run: EngineRun<Calls>, why: string): void {
    this.#options.calls.detach(why);
    if (run !== this.#run || this.#closing !== undefined) return;
    this.#run = undefined;
    const { clock } = this.#options;
    if (clock.monotonicMs() - this.#openedAtMs >= STEADY_MS) this.#reopenDelayMs = REOPEN_DELAY_MS_MIN;
    this.#waitTimer = clock.setTimer(WAIT_FOR_REOPEN_MS, () => this.#stopTaking(), true);
    this.#holdWhileWaiting(this.#options.calls.busy);
    this.#fail(`${why} It is opened again from the log; until then calls wait up to ${WAIT_FOR_REOPEN_MS} ms.`);
    this.#reopenLater();
  }

  /** Calls that wait for a reopen keep the process alive: a timer that does nothing else. */
  #holdWhileWaiting(waiting: boolean): void {
    const { clock } = this.#options;
    if (this.#holdTimer !== undefined) clock.clearTimer(this.#holdTimer);
    this.#holdTimer = waiting ? clock.setTimer(WAIT_FOR_REOPEN_MS, () => {}) : undefined;
  }

  #reopenLater(): void {
    this.#reopenTimer = this.#options.clock.setTimer(this.#reopenDelayMs, () => void this.#reopen(), true);
    this.#reopenDelayMs = Math.min(this.#reopenDelayMs * 2, REOPEN_DELAY_MS_MAX);
  }

  async #reopen(): Promise<void> {
    try {
      await this.#start(this.health.now.reopened + 1);
    } catch (error) {
      if (this.#closing === undefined) this.#reopenFailed(error);
    }
  }

  #reopenFailed(error: unknown): void {
    this.#options.calls.detach('The engine could not be opened again.');
    const known = error instanceof HoldfastError ? error : undefined;
    const why = known === undefined ? String(error) : plainWords(known);
    if (known !== undefined && LASTING.has(known.code)) {
      this.#fail(why);
      this.#stopTaking();
    } else {
      this.#fail(`${why} This is tried again in ${this.#reopenDelayMs} ms.`);
      this.#reopenLater();
    }
  }

  #fail(detail: string): void {
    this.health.change({ status: 'failed', detail });
  }

  #stopTaking(): void {
    this.#taking = false;
    this.#options.calls.rejectWaiting(
      new StoreFailedError('rejected', this.health.now.detail ?? 'The engine is gone.'),
    );
  }

  async #close(): Promise<void> {
    const run = this.#run;
    const open = this.#isOpen;
    this.#clearTimers();
    try {
      if (run !== undefined && open) await this.#closeRun(run);
    } finally {
      this.#options.calls.rejectWaiting(new StoreClosedError());
      await this.#run?.kill();
      this.#options.calls.detach('The store was closed.');
      this.health.change({ status: 'closed', detail: 'The store was closed. Open a new one to go on.' });
    }
  }

  async #closeRun(run: EngineRun<Calls>): Promise<void> {
    run.hold(true);
    const timer = this.#options.clock.setTimer(CLOSE_MS_MAX, () => void run.kill());
    try {
      // An engine that is lost meanwhile settles the call too: see #lost.
      await this.#options.askToClose();
      await run.gone;
    } finally {
      this.#options.clock.clearTimer(timer);
    }
  }

  #clearTimers(): void {
    for (const timer of [this.#reopenTimer, this.#waitTimer]) {
      if (timer !== undefined) this.#options.clock.clearTimer(timer);
    }
    this.#holdWhileWaiting(false);
  }
}

import {
  type Clock,
  type DeadGroupFilter,
  type DeadGroupPage,
  type JobDetail,
  type JobFilter,
  type JobRow,
  type JobStore,
  type LeaseExpiry,
  type LeaseRow,
  type Page,
  type PageRequest,
  type PlanRequest,
  type QueueSummary,
  type SelectionPlan,
  type StorageReport,
  type StoreCapabilities,
  type StoreHealth,
  type StoreMetrics,
  StoreReadOnlyError,
  type TimerHandle,
} from '@holdfast/contract';
import type { LogStoreClient } from './log-store-client.js';

export interface LogViewStoreOptions {
  /** Reads the log as it is now. */
  readonly read: () => Promise<LogStoreClient>;
  /** Differs from before where the log has changed; costs little. */
  readonly fingerprint: () => string;
  readonly clock: Clock;
  readonly everyMs: number;
  /** For those whose acts are refused. */
  readonly because: string;
}

/** What is shown, until a later reading takes its place. */
interface Reading {
  readonly store: LogStoreClient;
  /** Of which moment its jobs are. */
  asOfMs: number;
  /** Calls that are under way. */
  calls: number;
  replaced: boolean;
}

/** The pause after a reading that took long, in times of what it took: a tenth of the time is spent on reading. */
const PAUSE_PART = 9;

/**
 * The jobs of a log that another process owns, read anew whenever it has changed. A reading stands still: what one call shows is of
 * one moment, and calls that began before the next one end on the one they began with.
 */
export class LogViewStore implements JobStore {
  readonly capabilities: StoreCapabilities;
  readonly #options: LogViewStoreOptions;
  #shown: Reading;
  #fingerprint: string;
  /** Why the last reading failed, if it did. */
  #problem: string | undefined;
  #timer: TimerHandle | undefined;
  #reading: Promise<void> | undefined;
  #closed = false;

  /** Resolves when the log was read for the first time. @throws LogCorruptError, LogVersionError, StoreOpenError */
  static async open(options: LogViewStoreOptions): Promise<LogViewStore> {
    const { clock } = options;
    const [startedMs, asOfMs] = [clock.monotonicMs(), clock.now()];
    const fingerprint = options.fingerprint();
    const view = new LogViewStore(options, await options.read(), fingerprint, asOfMs);
    view.#readLater(clock.monotonicMs() - startedMs);
    return view;
  }

  private constructor(options: LogViewStoreOptions, store: LogStoreClient, fingerprint: string, asOfMs: number) {
    this.#options = options;
    this.#shown = readingOf(store, asOfMs, options.clock);
    this.#fingerprint = fingerprint;
    this.capabilities = { ...store.capabilities, readOnly: { because: options.because } };
  }

  queues(names?: readonly string[]): Promise<QueueSummary[]> {
    return this.#ask((store) => store.queues(names));
  }

  job(id: string): Promise<JobDetail | undefined> {
    return this.#ask((store) => store.job(id));
  }

  browse(filter: JobFilter, page: PageRequest): Promise<Page<JobRow>> {
    return this.#ask((store) => store.browse(filter, page));
  }

  deadGroups(filter: DeadGroupFilter, page: PageRequest): Promise<DeadGroupPage> {
    return this.#ask((store) => store.deadGroups(filter, page));
  }

  plan(jobs: PlanRequest, options?: { readonly scanMax?: number }): Promise<SelectionPlan> {
    return this.#ask((store) => store.plan(jobs, options));
  }

  leases(limit: number): Promise<LeaseRow[]> {
    return this.#ask((store) => store.leases(limit));
  }

  leaseExpiries(): Promise<LeaseExpiry[]> {
    return this.#ask((store) => store.leaseExpiries());
  }

  metrics(): Promise<StoreMetrics> {
    return this.#ask((store) => store.metrics());
  }

  storage(): Promise<StorageReport> {
    return this.#ask((store) => store.storage());
  }

  health(): StoreHealth {
    const { store, asOfMs } = this.#shown;
    const shown = store.health();
    if (this.#problem === undefined || shown.status !== 'open') return { ...shown, asOfMs };
    return { ...shown, status: 'failed', detail: this.#problem, asOfMs };
  }

  readonly enqueue = () => this.#refuse();
  readonly claim = () => this.#refuse();
  readonly ack = () => this.#refuse();
  readonly fail = () => this.#refuse();
  readonly release = () => this.#refuse();
  readonly extend = () => this.#refuse();
  readonly redrive = () => this.#refuse();
  readonly cancel = () => this.#refuse();
  readonly remove = () => this.#refuse();
  readonly runNow = () => this.#refuse();
  readonly reprioritise = () => this.#refuse();
  readonly clone = () => this.#refuse();
  readonly pause = () => this.#refuse();
  readonly resume = () => this.#refuse();

  async close(): Promise<void> {
    this.#closed = true;
    if (this.#timer !== undefined) this.#options.clock.clearTimer(this.#timer);
    await this.#reading;
    await this.#shown.store.close();
  }

  #refuse(): Promise<never> {
    return Promise.reject(new StoreReadOnlyError(this.#options.because));
  }

  async #ask<Answer>(question: (store: LogStoreClient) => Promise<Answer>): Promise<Answer> {
    const shown = this.#shown;
    shown.calls++;
    try {
      return await question(shown.store);
    } finally {
      shown.calls--;
      closeIfDone(shown);
    }
  }

  #readLater(tookMs: number): void {
    if (this.#closed) return;
    const { clock, everyMs } = this.#options;
    this.#timer = clock.setTimer(
      Math.max(everyMs, PAUSE_PART * tookMs),
      () => {
        this.#reading = this.#read();
      },
      true,
    );
  }

  /** What cannot be read leaves what is shown as it is, and is tried again. */
  async #read(): Promise<void> {
    const { clock } = this.#options;
    const startedMs = clock.monotonicMs();
    try {
      await this.#readIfChanged(clock.now());
      this.#problem = undefined;
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      this.#problem = `The log could not be read again, so the jobs are those of before. ${why}`;
    }
    this.#readLater(clock.monotonicMs() - startedMs);
  }

  async #readIfChanged(asOfMs: number): Promise<void> {
    const fingerprint = this.#options.fingerprint();
    if (fingerprint !== this.#fingerprint) {
      const former = this.#shown;
      this.#shown = readingOf(await this.#options.read(), asOfMs, this.#options.clock);
      former.replaced = true;
      closeIfDone(former);
      this.#fingerprint = fingerprint;
    }
    this.#shown.asOfMs = asOfMs;
  }
}

/** One whose thread is lost reads the log again by itself, as it is by then. */
function readingOf(store: LogStoreClient, asOfMs: number, clock: Clock): Reading {
  const reading: Reading = { store, asOfMs, calls: 0, replaced: false };
  let lostAtMs = asOfMs;
  store.onHealthChange(({ status }) => {
    if (status === 'failed') lostAtMs = clock.now();
    else if (status === 'open') reading.asOfMs = lostAtMs;
  });
  return reading;
}

/** Nobody waits for its end: one whose thread is lost meanwhile is gone as well. */
function closeIfDone(reading: Reading): void {
  if (reading.replaced && reading.calls === 0) reading.store.close().catch(() => {});
}

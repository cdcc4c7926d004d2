import {
  type AckItem,
  type AckOptions,
  type ActedBy,
  type ActOutcome,
  type CallOutcome,
  type ClaimRequest,
  type Clock,
  type DeadGroupFilter,
  type DeadGroupPage,
  type Enqueued,
  type EnqueueOptions,
  type EventsRequest,
  type ExtendItem,
  type FailItem,
  type HistogramSeries,
  type HistogramsRequest,
  type HoldfastError,
  InvalidArgumentError,
  type JobDetail,
  type JobFilter,
  type JobId,
  type JobRow,
  type LeasedJob,
  type LeaseExpiry,
  type LeaseRef,
  type LeaseRow,
  type NewJob,
  type NoteItem,
  type Page,
  type PageRequest,
  type PauseOptions,
  type Payload,
  type PlanRequest,
  type QueuePause,
  type QueueSummary,
  type ReleaseItem,
  type Selection,
  type SelectionPlan,
  type SettleAnswer,
  type SnapshotReport,
  type StorageReport,
  type StoreCapabilities,
  type StoreEvent,
  type StoreHealth,
  type StoreMetrics,
  type WorkerSummary,
} from '@holdfast/contract';
import {
  checkedActor,
  checkedClaim,
  checkedClone,
  checkedDeadGroupFilter,
  checkedEvents,
  checkedFilter,
  checkedHistograms,
  checkedPage,
  checkedPause,
  checkedPlanned,
  checkedPriority,
  checkedQueueNames,
  checkedRequestId,
  checkedSelection,
  checkedTarget,
  checkWhole,
  type EventsPage,
  Listeners,
  refuseTransaction,
} from '@holdfast/contract/rules';
import type { JobAct } from '../engine/engine-calls.js';
import { formatId } from '../identity.js';
import { LIMITS } from '../limits.js';
import { readClaimed } from '../protocol/claimed-batch.js';
import type { ClaimedBatch, EngineGreeting, EngineNotice, JobCalls } from '../protocol/job-calls.js';
import { readLeases } from '../protocol/lease-columns.js';
import type { CallNames } from '../protocol/turn-messages.js';
import { directoryPath } from './directory-path.js';
import { EngineKeeper } from './engine-keeper.js';
import type { EngineProcess } from './engine-process.js';
import { EnqueueBatching } from './enqueue-batching.js';
import { enqueueOnce } from './enqueue-once.js';
import type { HealthListener } from './health-report.js';
import type { LogStore } from './log-store.js';
import { MergedCalls } from './merged-calls.js';
import { wholePlan } from './plan-parts.js';
import { type AfterOverdueWork, type PendingCall, PortClient } from './port-client.js';
import { type AskForQueues, allQueues, namedQueues } from './queues-in-parts.js';
import { searchPage } from './search-page.js';
import { AckBatching, ExtendBatching, FailBatching, NoteBatching, ReleaseBatching } from './settle-batching.js';
import { StoreEvents } from './store-events.js';

export interface LogStoreClientOptions {
  /** @param formerStoreTag of the store that this client had open before: the engine opens that one or none. */
  startEngine(formerStoreTag: string | undefined): EngineProcess;
  readonly clock: Clock;
  readonly afterOverdueWork: AfterOverdueWork;
  /** The directory, for messages. */
  readonly location: string;
  readonly openTimeoutMs: number;
}

/** A small job and what says whose it is. */
const CLAIMED_JOB_WEIGHT = 512;

/** A sixth of a lease may be lost on the way; with the third that a worker waits, half of it is left. */
const LATE_PART = 6;

/** The application's side of a log store: checks what it is given, merges the calls of a turn, answers promises. */
export class LogStoreClient implements LogStore {
  readonly capabilities: StoreCapabilities = {
    kind: 'log',
    payloadBytesMax: LIMITS.payloadBytesMax,
    enqueueJobsMax: LIMITS.enqueueJobsMax,
    claimJobsMax: LIMITS.claimJobsMax,
  };
  readonly #calls: PortClient<JobCalls>;
  readonly #keeper: EngineKeeper<JobCalls>;
  readonly #enqueues: MergedCalls<JobCalls, 'enqueue', NewJob, Enqueued>;
  readonly #acks: MergedCalls<JobCalls, 'ack', AckItem, SettleAnswer>;
  readonly #fails: MergedCalls<JobCalls, 'fail', FailItem, SettleAnswer>;
  readonly #releases: MergedCalls<JobCalls, 'release', ReleaseItem, SettleAnswer>;
  readonly #extends: MergedCalls<JobCalls, 'extend', ExtendItem, SettleAnswer>;
  readonly #notes: MergedCalls<JobCalls, 'note', NoteItem, SettleAnswer>;
  readonly #cancelled = new Listeners<readonly LeaseRef[]>();
  readonly #clock: Clock;
  #storeTag = '';

  /** Resolves when the engine has replayed its log and is ready. */
  static async open(options: LogStoreClientOptions): Promise<LogStoreClient> {
    const client = new LogStoreClient(options);
    await client.#keeper.open();
    return client;
  }

  private constructor(options: LogStoreClientOptions) {
    const storeTag = () => this.#storeTag;
    this.#clock = options.clock;
    this.#calls = new PortClient(options.afterOverdueWork, (busy) => this.#keeper.setBusy(busy));
    // In this order they cross: what ends or extends a lease goes before everything that may take long.
    this.#extends = new MergedCalls(this.#calls, 'extend', new ExtendBatching(storeTag));
    // Before the ends of their leases.
    this.#notes = new MergedCalls(this.#calls, 'note', new NoteBatching(storeTag));
    this.#acks = new MergedCalls(this.#calls, 'ack', new AckBatching(storeTag));
    this.#fails = new MergedCalls(this.#calls, 'fail', new FailBatching(storeTag));
    this.#releases = new MergedCalls(this.#calls, 'release', new ReleaseBatching(storeTag));
    this.#enqueues = new MergedCalls(this.#calls, 'enqueue', new EnqueueBatching(storeTag));
    this.#keeper = new EngineKeeper<JobCalls>({
      ...options,
      startEngine: () => options.startEngine(this.#storeTag === '' ? undefined : this.#storeTag),
      calls: this.#calls,
      onOpened: (greeting) => {
        this.#storeTag = (greeting as EngineGreeting).storeTag;
      },
      readNotice: (notice) => this.#readNotice(notice as EngineNotice),
      askToClose: async () => {
        await this.#ask('close', undefined, 'unknown');
      },
    });
  }

  enqueue(jobs: readonly NewJob[], options?: EnqueueOptions): Promise<Enqueued[]> {
    return options === undefined ? this.#merge(this.#enqueues, jobs) : this.#enqueueOnce(jobs, options);
  }

  ack(items: readonly AckItem[], options?: AckOptions): Promise<SettleAnswer[]> {
    return options === undefined ? this.#merge(this.#acks, items) : this.#ackWith(items, options);
  }

  fail(items: readonly FailItem[]): Promise<SettleAnswer[]> {
    return this.#merge(this.#fails, items);
  }

  release(items: readonly ReleaseItem[]): Promise<SettleAnswer[]> {
    return this.#merge(this.#releases, items);
  }

  extend(items: readonly ExtendItem[]): Promise<SettleAnswer[]> {
    return this.#merge(this.#extends, items);
  }

  note(items: readonly NoteItem[]): Promise<SettleAnswer[]> {
    return this.#merge(this.#notes, items);
  }

  async claim(request: ClaimRequest): Promise<LeasedJob[]> {
    this.#refuseIfGone();
    const args = checkedClaim(request);
    const { signal } = request;
    if (signal?.aborted) return [];
    let abort: (() => void) | undefined;
    const answer = new Promise<LeasedJob[]>((resolve, reject) => {
      const pending: PendingCall = {
        outcomeWhenLost: 'unknown',
        settled: (error, batch: ClaimedBatch | undefined) =>
          error === undefined ? resolve(this.#receive(batch, args.leaseMs)) : reject(error),
      };
      const call = this.#calls.send('claim', args, pending, args.limit * CLAIMED_JOB_WEIGHT);
      abort = () => {
        if (this.#calls.cancel(call)) resolve([]);
      };
      signal?.addEventListener('abort', abort, { once: true });
    });
    try {
      const jobs = await answer;
      return signal?.aborted ? await this.#handBack(jobs) : jobs;
    } finally {
      if (abort !== undefined) signal?.removeEventListener('abort', abort);
    }
  }

  async queues(names?: readonly string[]): Promise<QueueSummary[]> {
    const wanted = checkedQueueNames(names);
    const ask: AskForQueues = (name, args) => this.#ask(name, args);
    return wanted === undefined ? allQueues(ask) : namedQueues(ask, wanted);
  }

  async job(id: string): Promise<JobDetail | undefined> {
    if (typeof id !== 'string') throw new InvalidArgumentError('id', id, 'a job id');
    return this.#ask('job', { id });
  }

  async browse(filter: JobFilter, page: PageRequest): Promise<Page<JobRow>> {
    const args = { filter: checkedFilter(filter), page: checkedPage(page) };
    return searchPage((part) => this.#ask('browse', { filter: args.filter, page: part }), args.page, this.#clock);
  }

  async deadGroups(filter: DeadGroupFilter, page: PageRequest): Promise<DeadGroupPage> {
    return this.#ask('deadGroups', { filter: checkedDeadGroupFilter(filter), page: checkedPage(page) });
  }

  async plan(jobs: PlanRequest, options: { readonly scanMax?: number } = {}): Promise<SelectionPlan> {
    const planned = checkedPlanned(jobs);
    return wholePlan((part) => this.#ask('plan', { planned, ...part }), options.scanMax);
  }

  async workers(): Promise<WorkerSummary[]> {
    return this.#ask('workers', undefined);
  }

  async redrive(selection: Selection, by: ActedBy): Promise<ActOutcome> {
    return this.#act({ kind: 'redrive' }, selection, by);
  }

  async cancel(selection: Selection, by: ActedBy): Promise<ActOutcome> {
    return this.#act({ kind: 'cancel' }, selection, by);
  }

  onLeasesCancelled(listener: (leases: readonly LeaseRef[]) => void): () => void {
    return this.#cancelled.add(listener);
  }

  async remove(selection: Selection, by: ActedBy): Promise<ActOutcome> {
    return this.#act({ kind: 'remove' }, selection, by);
  }

  async runNow(selection: Selection, by: ActedBy): Promise<ActOutcome> {
    return this.#act({ kind: 'runNow' }, selection, by);
  }

  async reprioritise(selection: Selection, priority: number, by: ActedBy): Promise<ActOutcome> {
    return this.#act({ kind: 'reprioritise', priority: checkedPriority(priority) }, selection, by);
  }

  async transfer(selection: Selection, queue: string, by: ActedBy): Promise<ActOutcome> {
    return this.#act({ kind: 'transfer', queue: checkedTarget(queue) }, selection, by);
  }

  async clone(id: JobId, by: ActedBy, changes?: { readonly payload?: Payload }): Promise<Enqueued | undefined> {
    const cloned = await this.#ask('clone', checkedClone(id, by, changes?.payload), 'unknown');
    return cloned.id === undefined
      ? undefined
      : { id: formatId(this.#storeTag, cloned.id), state: 'ready', outcome: 'created' };
  }

  async pause(queue: string, by: ActedBy, options?: PauseOptions): Promise<QueuePause> {
    return this.#ask('pause', checkedPause(queue, by, options), 'unknown');
  }

  async resume(queue: string, by: ActedBy): Promise<boolean> {
    return this.#ask('resume', checkedPause(queue, by), 'unknown');
  }

  async leases(limit: number): Promise<LeaseRow[]> {
    checkWhole('limit', limit, 1, LIMITS.settleItemsMax);
    return this.#ask('leases', { limit });
  }

  async leaseExpiries(): Promise<LeaseExpiry[]> {
    return this.#ask('leaseExpiries', undefined);
  }

  events(request: EventsRequest = {}): AsyncIterable<StoreEvent> {
    const checked = checkedEvents(request);
    this.#refuseIfGone();
    return new StoreEvents(checked, request.signal, (args, settled) => {
      const refusal = this.#keeper.refusal();
      if (refusal !== undefined) {
        settled(refusal, undefined);
        return () => {};
      }
      const pending = {
        outcomeWhenLost: 'rejected' as const,
        settled: (error?: HoldfastError, page?: unknown) => settled(error, page as EventsPage | undefined),
      };
      const call = this.#calls.send('events', args, pending);
      return () => this.#calls.cancel(call);
    });
  }

  async metrics(): Promise<StoreMetrics> {
    return this.#ask('metrics', undefined);
  }

  async histograms(request: HistogramsRequest): Promise<HistogramSeries> {
    return this.#ask('histograms', checkedHistograms(request));
  }

  async storage(): Promise<StorageReport> {
    return this.#ask('storage', undefined);
  }

  async snapshot(directory: string | URL): Promise<SnapshotReport> {
    return this.#ask('snapshot', { directory: directoryPath(directory) }, 'unknown');
  }

  health(): StoreHealth {
    return this.#keeper.health.now;
  }

  onHealthChange(listener: HealthListener): () => void {
    return this.#keeper.health.onChange(listener);
  }

  close(): Promise<void> {
    return this.#keeper.close();
  }

  #readNotice(notice: EngineNotice): { readonly full: string | undefined } | undefined {
    if ('full' in notice) return notice;
    this.#cancelled.tell(readLeases(notice.cancelled, this.#storeTag));
    return undefined;
  }

  #merge<Name extends CallNames<JobCalls>, Item, Result>(
    calls: MergedCalls<JobCalls, Name, Item, Result>,
    items: readonly Item[],
  ): Promise<Result[]> {
    const refusal = this.#keeper.refusal();
    return refusal === undefined ? calls.add(items) : Promise.reject(refusal);
  }

  async #enqueueOnce(jobs: readonly NewJob[], options: EnqueueOptions): Promise<Enqueued[]> {
    const requestId = checkedRequestId(options);
    refuseTransaction('enqueue', options);
    if (requestId === undefined) return this.#merge(this.#enqueues, jobs);
    this.#refuseIfGone();
    return enqueueOnce(this.#calls, this.#enqueues, () => this.#storeTag, jobs, requestId);
  }

  async #ackWith(items: readonly AckItem[], options: AckOptions): Promise<SettleAnswer[]> {
    refuseTransaction('ack', options);
    return this.#merge(this.#acks, items);
  }

  #act(act: JobAct, selection: Selection, by: ActedBy): Promise<ActOutcome> {
    const args = { act, selection: checkedSelection(selection), by: checkedActor(by) };
    return this.#ask('act', args, 'unknown');
  }

  /** A question changes nothing, so one that was lost was certainly not applied. */
  #ask<Name extends CallNames<JobCalls>>(
    method: Name,
    args: JobCalls[Name]['args'],
    outcomeWhenLost: CallOutcome = 'rejected',
  ): Promise<JobCalls[Name]['answer']> {
    if (method !== 'close') this.#refuseIfGone();
    return new Promise((resolve, reject) => {
      this.#calls.send(method, args, {
        outcomeWhenLost,
        settled: (error, answer: JobCalls[Name]['answer']) => (error === undefined ? resolve(answer) : reject(error)),
      });
    });
  }

  #refuseIfGone(): void {
    const refusal = this.#keeper.refusal();
    if (refusal !== undefined) throw refusal;
  }

  /**
   * Jobs that lay here for a good part of their lease, because this thread was blocked, get it anew: their worker extends a third
   * of a lease after it got them, which could be too late. This is sent before the engine is told that this thread runs again.
   */
  #receive(batch: ClaimedBatch | undefined, leaseMs: number): LeasedJob[] {
    const jobs = readClaimed(batch, this.#storeTag, leaseMs);
    const late = batch !== undefined && this.#clock.monotonicMs() - batch.answeredAtMs > leaseMs / LATE_PART;
    if (late) this.#extends.add(jobs.map(({ id, token }) => ({ id, token, leaseMs }))).catch(() => {});
    return jobs;
  }

  /** For a claim that was aborted too late: nobody will run its jobs. If the store is gone its leases are gone as well. */
  async #handBack(jobs: readonly LeasedJob[]): Promise<never[]> {
    if (jobs.length > 0) await this.#releases.add(jobs.map(({ id, token }) => ({ id, token }))).catch(() => {});
    return [];
  }
}

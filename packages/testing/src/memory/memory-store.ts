import {
  type AckItem,
  type AckOptions,
  type ActedBy,
  type ActOutcome,
  type ClaimRequest,
  type Clock,
  type DeadGroupFilter,
  type DeadGroupPage,
  type Enqueued,
  type EnqueueOptions,
  type EventsRequest,
  type ExtendItem,
  type FailItem,
  InvalidArgumentError,
  type JobDetail,
  type JobFilter,
  type JobId,
  type JobRow,
  type JobStore,
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
  type RetentionOptions,
  type Selection,
  type SelectionPlan,
  type SettleAnswer,
  type StorageReport,
  type StoreCapabilities,
  StoreClosedError,
  type StoreEvent,
  type StoreHealth,
  type StoreMetrics,
  type WorkerSummary,
} from '@holdfast/contract';
import {
  checkAck,
  checkedActor,
  checkedClaim,
  checkedClone,
  checkedDeadGroupFilter,
  checkedEvents,
  checkedFilter,
  checkedMs,
  checkedNote,
  checkedPage,
  checkedPause,
  checkedPlanned,
  checkedPriority,
  checkedQueueNames,
  checkedRequestId,
  checkedRetention,
  checkedSelection,
  checkedTarget,
  checkedThen,
  checkItems,
  checkLease,
  checkResult,
  checkWhole,
  Listeners,
  refuseTransaction,
  requestFingerprint,
  STORE_LIMITS,
  shortened,
} from '@holdfast/contract/rules';
import { actOnSelected } from './act-on-selected.js';
import { browsePage } from './browse-page.js';
import { deadGroupList } from './dead-group-list.js';
import type { JobAct } from './job-act.js';
import { JobBook } from './job-book.js';
import { jobsAhead } from './job-facts.js';
import { toDetail, toLeaseRow } from './job-rows.js';
import type { MemoryStoreOptions } from './memory-store-options.js';
import { checkNewJobs } from './new-job.js';
import { queueSummaries } from './queue-summaries.js';
import { RequestBook } from './request-book.js';
import { planOf, selectedJobs } from './selected-jobs.js';
import { StoreRun } from './store-run.js';

const TAG_BYTES = 4;

/**
 * A store that keeps jobs in memory alone and does everything else as the contract says: for tests, and as the plainest
 * account of what a store has to do. Every call walks lists, so it is for thousands of jobs, not for millions.
 */
export function memoryStore(options: MemoryStoreOptions): MemoryStore {
  return new MemoryStore(options);
}

export class MemoryStore implements JobStore {
  readonly capabilities: StoreCapabilities = {
    kind: 'memory',
    payloadBytesMax: STORE_LIMITS.payloadBytesMax,
    enqueueJobsMax: STORE_LIMITS.enqueueJobsMax,
    claimJobsMax: STORE_LIMITS.claimJobsMax,
  };
  readonly #clock: Clock;
  readonly #ignoresTransactions: boolean;
  readonly #tag: string;
  readonly #book: JobBook;
  readonly #requests = new RequestBook();
  readonly #cancelled = new Listeners<readonly LeaseRef[]>();
  #run: StoreRun;
  #closed = false;

  constructor({ clock, random, retention, ignoresTransactions = false }: MemoryStoreOptions) {
    this.#clock = clock;
    this.#ignoresTransactions = ignoresTransactions;
    this.#tag = `m${Buffer.from(random.bytes(TAG_BYTES)).toString('hex')}`;
    this.#book = new JobBook(this.#tag, random, checkedRetention(retention));
    this.#run = new StoreRun(this.#book, clock, 'new');
  }

  async enqueue(jobs: readonly NewJob[], options?: EnqueueOptions): Promise<Enqueued[]> {
    this.#refuseIfClosed();
    const requestId = checkedRequestId(options);
    if (!this.#ignoresTransactions) refuseTransaction('enqueue', options);
    checkNewJobs(jobs);
    return this.#run.change((moment) => {
      const enqueue = () => this.#book.enqueue(jobs, moment);
      return requestId === undefined || jobs.length === 0
        ? enqueue()
        : this.#requests.once(requestId, requestFingerprint(jobs), moment.wallMs, enqueue);
    });
  }

  async claim(request: ClaimRequest): Promise<LeasedJob[]> {
    this.#refuseIfClosed();
    const checked = checkedClaim(request);
    const { signal } = request;
    if (signal?.aborted) return [];
    const jobs = await this.#run.claim(checked, signal);
    if (!signal?.aborted) return jobs;
    if (!this.#closed) this.#run.change((moment) => jobs.map((job) => this.#book.release(job, 0, moment)));
    return [];
  }

  async ack(items: readonly AckItem[], options?: AckOptions): Promise<SettleAnswer[]> {
    this.#refuseIfClosed();
    if (!this.#ignoresTransactions) refuseTransaction('ack', options);
    checkAck(items);
    for (const [index, item] of items.entries()) {
      checkLease('ack', index, item);
      checkResult(index, item.result);
    }
    return this.#run.change((moment) => this.#book.ack(items, moment));
  }

  async fail(items: readonly FailItem[]): Promise<SettleAnswer[]> {
    const checked = this.#checked('fail', items, (item, index) => checkedThen(item.then, index));
    return this.#run.change((moment) =>
      checked.map(([item, then]) => this.#book.fail(item, shortened(item.error), then, moment)),
    );
  }

  async release(items: readonly ReleaseItem[]): Promise<SettleAnswer[]> {
    const checked = this.#checked('release', items, ({ delayMs = 0 }, index) =>
      checkedMs(`release[${index}].delayMs`, delayMs, 0, STORE_LIMITS.delayMsMax),
    );
    return this.#run.change((moment) => checked.map(([item, delayMs]) => this.#book.release(item, delayMs, moment)));
  }

  async extend(items: readonly ExtendItem[]): Promise<SettleAnswer[]> {
    const checked = this.#checked('extend', items, ({ leaseMs }, index) =>
      checkedMs(`extend[${index}].leaseMs`, leaseMs, STORE_LIMITS.leaseMsMin, STORE_LIMITS.leaseMsMax),
    );
    return this.#run.change((moment) => checked.map(([item, leaseMs]) => this.#run.extend(item, leaseMs, moment)));
  }

  async note(items: readonly NoteItem[]): Promise<SettleAnswer[]> {
    const checked = this.#checked('note', items, (item, index) => checkedNote(index, item));
    return this.#run.change(() => checked.map(([item, note]) => this.#book.note(item, note)));
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
    this.#refuseIfClosed();
    const checked = checkedClone(id, by, changes?.payload);
    return this.#run.change((moment) => {
      const origin = this.#book.find(checked.id);
      return origin === undefined ? undefined : this.#book.clone(origin, checked.payload, checked.by, moment);
    });
  }

  async pause(queue: string, by: ActedBy, options?: PauseOptions): Promise<QueuePause> {
    this.#refuseIfClosed();
    const checked = checkedPause(queue, by, options);
    return this.#run.change(({ wallMs }) => {
      const paused = this.#book.pauses.pause(checked.queue, checked.forMs, checked.by, wallMs);
      this.#book.tell({ kind: 'paused', queue, actor: checked.by.actor });
      return paused;
    });
  }

  async resume(queue: string, by: ActedBy): Promise<boolean> {
    this.#refuseIfClosed();
    const checked = checkedPause(queue, by);
    return this.#run.change(() => {
      const resumed = this.#book.pauses.resume(checked.queue);
      if (resumed) this.#book.tell({ kind: 'resumed', queue, actor: checked.by.actor });
      return resumed;
    });
  }

  async queues(names?: readonly string[]): Promise<QueueSummary[]> {
    this.#refuseIfClosed();
    const wanted = checkedQueueNames(names);
    return this.#run.read(({ wallMs }) =>
      queueSummaries(this.#book, wallMs).filter(({ name }) => wanted === undefined || wanted.includes(name)),
    );
  }

  async job(id: string): Promise<JobDetail | undefined> {
    this.#refuseIfClosed();
    if (typeof id !== 'string') throw new InvalidArgumentError('id', id, 'a job id');
    return this.#run.read(({ monotonicMs }) => {
      const job = this.#book.find(id);
      return job && toDetail(job, monotonicMs, this.#book.retention, jobsAhead(this.#book.jobs, job));
    });
  }

  async browse(filter: JobFilter, page: PageRequest): Promise<Page<JobRow>> {
    this.#refuseIfClosed();
    const wanted = checkedFilter(filter);
    const request = checkedPage(page);
    return this.#run.read(({ monotonicMs }) =>
      browsePage(this.#book.jobs, wanted, request, { tag: this.#tag, monotonicMs, retention: this.#book.retention }),
    );
  }

  async deadGroups(filter: DeadGroupFilter, page: PageRequest): Promise<DeadGroupPage> {
    this.#refuseIfClosed();
    const wanted = checkedDeadGroupFilter(filter);
    const request = checkedPage(page);
    return this.#run.read(() => deadGroupList(this.#book.jobs, wanted, request));
  }

  async plan(jobs: PlanRequest, options: { readonly scanMax?: number } = {}): Promise<SelectionPlan> {
    this.#refuseIfClosed();
    const planned = checkedPlanned(jobs);
    return this.#run.read(() => planOf(this.#book, planned, options.scanMax));
  }

  async workers(): Promise<WorkerSummary[]> {
    this.#refuseIfClosed();
    return this.#run.workers();
  }

  async leases(limit: number): Promise<LeaseRow[]> {
    this.#refuseIfClosed();
    checkWhole('limit', limit, 1, STORE_LIMITS.settleItemsMax);
    return this.#run.read(({ monotonicMs }) =>
      this.#book
        .leased()
        .slice(0, limit)
        .map((job) => toLeaseRow(job, monotonicMs)),
    );
  }

  async leaseExpiries(): Promise<LeaseExpiry[]> {
    this.#refuseIfClosed();
    return this.#run.read(() => this.#run.expiries.toReversed());
  }

  events(request: EventsRequest = {}): AsyncIterable<StoreEvent> {
    this.#refuseIfClosed();
    const checked = checkedEvents(request);
    return this.#run.events.listen(checked, request.signal);
  }

  async metrics(): Promise<StoreMetrics> {
    this.#refuseIfClosed();
    return this.#run.read(() => ({
      stepMs: 10_000,
      syncLatency: [],
      commits: [],
      totals: { ...this.#book.totals, commits: 0, bytesWritten: 0 },
      engineStallMsMax: 0,
    }));
  }

  async storage(): Promise<StorageReport> {
    this.#refuseIfClosed();
    return {
      kind: 'memory',
      location: 'memory',
      storeId: this.#tag,
      segments: [],
      bytes: 0,
      durableSeq: '0',
      recovery: this.#run.recovery,
    };
  }

  health(): StoreHealth {
    return this.#closed
      ? { status: 'closed', detail: 'The store was closed.', reopened: 0 }
      : { status: 'open', reopened: 0 };
  }

  /** Hands back what is leased, as every store does that ends in order. */
  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    this.#run.close();
  }

  /**
   * What a process that ends does to a durable store, and the next one that opens it: closed in order, leased jobs are handed back;
   * killed, their attempts have failed. Tokens of before are void. The store can be used at once, also if it was closed; what it
   * keeps may be another number then.
   */
  restart(how: 'closed' | 'killed', retention?: RetentionOptions): void {
    if (retention !== undefined) this.#book.retention = checkedRetention(retention);
    if (!this.#closed && how === 'closed') this.#run.close();
    this.#run.abandon();
    this.#run.events.end();
    this.#run = new StoreRun(this.#book, this.#clock, how);
    this.#closed = false;
  }

  #act(act: JobAct, selection: Selection, by: ActedBy): ActOutcome {
    this.#refuseIfClosed();
    const checked = checkedSelection(selection);
    const actedBy = checkedActor(by);
    const cancelled: LeaseRef[] = [];
    const outcome = this.#run.change((moment) =>
      actOnSelected(selectedJobs(this.#book, checked, this.#tag), act, (job) => {
        if (act.kind === 'cancel' && job.lease !== undefined) cancelled.push({ id: job.id, token: job.lease.token });
        this.#book.act(job, act, actedBy, moment);
      }),
    );
    if (cancelled.length > 0) this.#cancelled.tell(cancelled);
    return outcome;
  }

  #checked<Item extends { readonly id: string; readonly token: string }, Value>(
    method: string,
    items: readonly Item[],
    check: (item: Item, index: number) => Value,
  ): (readonly [Item, Value])[] {
    this.#refuseIfClosed();
    checkItems(method, items);
    return items.map((item, index) => {
      checkLease(method, index, item);
      return [item, check(item, index)] as const;
    });
  }

  #refuseIfClosed(): void {
    if (this.#closed) throw new StoreClosedError();
  }
}

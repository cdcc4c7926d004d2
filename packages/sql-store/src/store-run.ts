import {
  type DeadGroupFilter,
  type DeadGroupPage,
  type Enqueued,
  type LeasedJob,
  type LeaseRef,
  type NoteItem,
  type PageRequest,
  type QueuePause,
  type RecoveryReport,
  type Retention,
  type SettleAnswer,
  type StorageReport,
  type StoreMetrics,
  StoreOpenError,
} from '@holdfast/contract';
import {
  type CheckedClaim,
  type CheckedClone,
  type CheckedPause,
  Listeners,
  payloadBytes,
} from '@holdfast/contract/rules';
import { Acting } from './acting.js';
import { momentPlace } from './as-of.js';
import { type CommitLook, CommitWatch } from './commit-watch.js';
import { deadGroupList } from './dead-group-list.js';
import { type EnqueueRequest, Enqueuing } from './enqueuing.js';
import { EventFeed } from './event-feed.js';
import { JobNames, NO_STORE, NOBODY, tokenText } from './job-names.js';
import { headersOf, RowReader } from './job-rows.js';
import type { CheckedJob } from './new-jobs.js';
import { checkedNotes, keepNotes, type NoteCall } from './noting.js';
import { payloadColumns, payloadOf } from './payload-columns.js';
import { Planning } from './planning.js';
import { QueueNames } from './queue-names.js';
import { type Before, pauseOf, Reading } from './reading.js';
import { Session } from './session.js';
import type { SessionLink } from './session-link.js';
import { type SettleCall, SettleChecks, settle } from './settling.js';
import type { ClaimRow, LeaseKey, MetaRow, Queries, SqlDatabase } from './statements.js';
import type { StoreCondition } from './store-condition.js';
import { Sweeper } from './sweeper.js';
import { Sweeping } from './sweeping.js';
import { WaitingClaims } from './waiting-claims.js';
import { WorkerBook } from './worker-book.js';

/** A store on one kind of database. */
export interface SqlStoreParts<Transaction> {
  /** What reports call it. */
  readonly kind: string;
  readonly location: string;
  readonly database: SqlDatabase;
  readonly condition: StoreCondition;
  readonly retention: Retention;
  /** A waiting claim looks by itself this often; at least so often, where jobs were found a moment ago. */
  readonly pollMs: number;
  readonly pollMsMin: number;
  readonly sweepMs: number;
  /** Absent where no connection is kept. */
  readonly link: SessionLink | undefined;
  readonly transactions: CallerTransactions<Transaction>;
  readonly ends: () => Promise<void>;
}

/** Works in transactions of callers. */
export interface CallerTransactions<Transaction> {
  /** @throws InvalidArgumentError for what is no transaction */
  queriesIn(call: 'enqueue' | 'ack', transaction: Transaction): Queries;
  /** Called in the transaction, with the last job that it stored. @returns how to find out what became of it */
  look(queries: Queries, job: { readonly number: number }): Promise<CommitLook>;
}

/** A call may take no longer than this to end when the store closes. */
const CLOSE_MS_MAX = 10_000;
/** And to leave no longer than this: for the connection that is kept, and for the others. */
const LEAVE_MS_MAX = 5000;

export type LeasesListener = (leases: readonly LeaseRef[]) => void;

type Start = { readonly queue_id: number; readonly waits_ms: number | null };

/** What goes on between the opening of a store and its end. Everything that comes in was checked. */
export class StoreRun<Transaction> {
  readonly condition: StoreCondition;
  readonly checks: SettleChecks;
  readonly reading: Reading;
  readonly planning: Planning;
  readonly acting: Acting;
  readonly events: EventFeed;
  readonly workers: WorkerBook;
  readonly waiting: WaitingClaims;
  readonly sweeping: Sweeping;
  /** Set when the store is opened. */
  before!: Before;
  readonly #parts: SqlStoreParts<Transaction>;
  readonly #storeId: string;
  readonly #recovery: RecoveryReport;
  readonly #names: JobNames;
  readonly #queues: QueueNames;
  readonly #enqueuing: Enqueuing;
  readonly #session: Session | undefined;
  readonly #sweeper: Sweeper;
  readonly #commits: CommitWatch;
  readonly #cancelled = new Listeners<readonly LeaseRef[]>();

  static async begin<Transaction>(parts: SqlStoreParts<Transaction>): Promise<StoreRun<Transaction>> {
    const { database } = parts;
    const startedAtMs = performance.now();
    const [meta] = await database.run('meta', []);
    const [process] = await database.run('nextProcess', []);
    if (meta === undefined || process === undefined) throw new StoreOpenError(parts.location, NO_STORE);
    const run = new StoreRun(parts, meta, process.id);
    run.before = { lastExpiry: meta.last_expiry, totals: await run.reading.totals() };
    await run.#session?.connect();
    const lost = run.#session?.lost ?? 0;
    Object.assign(run.#recovery, {
      kind: meta.is_new ? 'new' : lost > 0 ? 'unclean' : 'clean',
      tookMs: performance.now() - startedAtMs,
    });
    run.#sweeper.start();
    return run;
  }

  private constructor(parts: SqlStoreParts<Transaction>, meta: MetaRow, processId: number) {
    const { database, condition, link, retention } = parts;
    this.#parts = parts;
    this.condition = condition;
    this.#storeId = meta.store_id;
    this.#names = new JobNames(meta.store_id, parts.location);
    this.#queues = new QueueNames(database);
    this.checks = new SettleChecks(this.#names);
    const rows = new RowReader(this.#names, retention);
    const common = { database, queues: this.#queues, names: this.#names };
    this.reading = new Reading({ ...common, rows });
    const { browsing } = this.reading;
    this.planning = new Planning({ ...common, browsing, place: momentPlace(meta) });
    this.acting = new Acting(
      { ...common, browsing, planning: this.planning },
      {
        changed: (queueIds) => this.#ready(queueIds),
        ended: (leases) => {
          this.#tellCancelled(leases);
          this.#session?.announceCancelled(leases);
        },
      },
    );
    this.#enqueuing = new Enqueuing(database, this.#queues, this.#names);
    this.#commits = new CommitWatch();
    this.events = new EventFeed(database, this.#names, processId);
    this.waiting = new WaitingClaims({
      pollMs: parts.pollMs,
      pollMsMin: parts.pollMsMin,
      take: (request) => this.take(request),
      handBack: (jobs) => this.handBack(jobs),
    });
    this.workers = new WorkerBook({ database, processId, waiting: () => this.waiting.workers });
    this.sweeping = new Sweeping({
      database,
      retention,
      ready: (queueIds) => this.#ready(queueIds),
    });
    this.#session =
      link === undefined
        ? undefined
        : new Session(
            {
              link,
              reached: condition.reached,
              heard: (ids) => this.#heard(ids),
              cancelled: (leases) => this.#tellCancelled(leases),
            },
            processId,
          );
    this.#sweeper = new Sweeper({
      sweepMs: parts.sweepMs,
      sweeping: this.sweeping,
      leads: async () => this.#session?.leads() ?? true,
    });
    const noLeases = { retried: 0, dead: 0 };
    const nothing = { segments: 0, bytesRead: 0, recordsReplayed: 0, tookMs: 0, leasesEnded: noLeases };
    this.#recovery = { kind: 'clean', atMs: meta.at_ms, ...nothing, epoch: processId };
  }

  async enqueue(jobs: readonly CheckedJob[], request: EnqueueRequest | undefined): Promise<Enqueued[]> {
    const { answers, starts } = await this.#enqueuing.enqueue(jobs, request);
    this.#starting(starts);
    return answers;
  }

  /** The answer is provisional until the caller commits; whoever waits for the jobs is woken then. */
  async enqueueIn(
    transaction: Transaction,
    jobs: readonly CheckedJob[],
    request: EnqueueRequest | undefined,
  ): Promise<Enqueued[]> {
    const { transactions } = this.#parts;
    const queries = transactions.queriesIn('enqueue', transaction);
    const { answers, starts } = await this.#enqueuing.enqueueIn(queries, this.#session?.queries, jobs, request);
    const last = starts.at(-1);
    if (last !== undefined) {
      this.#commits.watch(await transactions.look(queries, last), () => this.#starting(starts));
    }
    return answers;
  }

  /** One look for jobs; it waits for nothing. */
  async take({ queues, names, limit, leaseMs, worker }: CheckedClaim): Promise<LeasedJob[]> {
    const ids = await this.#queues.known(queues);
    if (ids.length === 0) return [];
    const rows = await this.#parts.database.run('claim', [ids, names ?? null, limit, leaseMs, worker]);
    return rows.map((row) => this.#leasedJob(row, leaseMs));
  }

  deadGroups(filter: DeadGroupFilter, page: PageRequest): Promise<DeadGroupPage> {
    const { database } = this.#parts;
    return deadGroupList({ database, queues: this.#queues, names: this.#names }, filter, page);
  }

  /** Uncounted: whoever asked does not want them any more. */
  async handBack(jobs: readonly LeasedJob[]): Promise<void> {
    if (jobs.length > 0) await this.settle(this.checks.release(jobs));
  }

  async settle(call: SettleCall): Promise<SettleAnswer[]> {
    const { answers, starts, workers } = await settle(this.#parts.database, call);
    this.#starting(starts);
    for (const worker of workers) this.workers.extended(worker);
    return answers;
  }

  /** The answers are provisional until the caller commits. */
  async settleIn(transaction: Transaction, call: SettleCall): Promise<SettleAnswer[]> {
    return (await settle(this.#parts.transactions.queriesIn('ack', transaction), call)).answers;
  }

  noteCall(items: readonly NoteItem[]): NoteCall {
    return checkedNotes(items, this.#names);
  }

  note(call: NoteCall): Promise<SettleAnswer[]> {
    return keepNotes(this.#parts.database, call);
  }

  /** @returns how to stop listening */
  onLeasesCancelled(listener: LeasesListener): () => void {
    return this.#cancelled.add(listener);
  }

  async clone({ id, by, payload }: CheckedClone): Promise<Enqueued | undefined> {
    const number = this.#names.number(id);
    if (number === NOBODY) return undefined;
    const [text, bytes] = payload === undefined ? [null, null] : payloadColumns(payload);
    const size = payload === undefined ? null : payloadBytes([payload]);
    const values = [number, text, bytes, size, by.actor, by.reason ?? null] as const;
    const [row] = await this.#parts.database.run('clone', [...values]);
    if (row === undefined) return undefined;
    this.#ready([row.queue_id]);
    return { id: this.#names.id(row.number), state: 'ready', outcome: 'created' };
  }

  async pause({ queue, by, forMs }: CheckedPause): Promise<QueuePause> {
    const id = (await this.#queues.idsOf([queue])).get(queue) ?? NOBODY;
    const [row] = await this.#parts.database.run('pause', [id, forMs ?? null, by.actor, by.reason ?? null]);
    if (row === undefined) throw new Error(`The queue ${queue} is gone from its table.`);
    return pauseOf(row);
  }

  async resume({ queue, by }: CheckedPause): Promise<boolean> {
    const rows = await this.#parts.database.run('resume', [queue, by.actor]);
    this.#ready(await this.#queues.known([queue]));
    return rows.length > 0;
  }

  async metrics(): Promise<StoreMetrics> {
    const now = await this.reading.totals();
    const since = Object.entries(now).map(([name, count]) => [
      name,
      count - this.before.totals[name as keyof typeof now],
    ]);
    const totals = Object.fromEntries(since) as StoreMetrics['totals'];
    return { stepMs: 10_000, syncLatency: [], commits: [], totals, engineStallMsMax: 0 };
  }

  async storage(): Promise<StorageReport> {
    const { database, kind, location } = this.#parts;
    const [row] = await database.run('storage', []);
    return {
      kind,
      location,
      storeId: this.#storeId,
      segments: [],
      bytes: row?.bytes ?? 0,
      durableSeq: row?.log_place ?? '0',
      recovery: this.#recovery,
    };
  }

  async sweepByHand(): Promise<number> {
    await this.#sweeper.stop();
    return this.sweeping.all();
  }

  /**
   * Ends also where the database does not answer any more: what it holds of this process ends with the connections.
   * @param calls those that were made before and are not answered yet
   */
  async close(calls: () => Promise<unknown>): Promise<void> {
    const waits = this.waiting.endAll();
    this.events.end();
    this.#commits.stop();
    this.workers.stop();
    await within(CLOSE_MS_MAX, Promise.all([calls(), waits, this.#sweeper.stop()]));
    await within(LEAVE_MS_MAX, this.#session?.close());
    this.#session?.abandon();
    this.condition.closed();
    await within(LEAVE_MS_MAX, this.#parts.ends());
  }

  async abandon(): Promise<void> {
    this.#session?.abandon();
    this.#commits.stop();
    this.workers.stop();
    void this.waiting.endAll();
    this.events.end();
    await this.#sweeper.stop();
    this.condition.closed();
    await this.#parts.ends();
  }

  #tellCancelled(leases: readonly LeaseKey[]): void {
    const refs = leases.map(({ number, token }) => ({ id: this.#names.id(number), token: tokenText(token) }));
    if (refs.length > 0) this.#cancelled.tell(refs);
  }

  #leasedJob(row: ClaimRow, leaseMs: number): LeasedJob {
    return {
      id: this.#names.id(row.number),
      token: tokenText(row.token),
      queue: this.#queues.name(row.queue_id),
      name: row.name,
      payload: payloadOf(row.payload_text, row.payload_bytes),
      priority: row.priority,
      attempt: row.attempts,
      maxAttempts: row.max_attempts,
      enqueuedAtMs: row.enqueued_at_ms,
      leaseMs,
      ...(row.timeout_ms === null ? {} : { timeoutMs: row.timeout_ms }),
      ...(row.headers === null ? {} : { headers: headersOf(row.headers) }),
      ...(row.backoff_name === null ? {} : { backoffName: row.backoff_name }),
    };
  }

  /** Jobs that this process placed: who waits for them is woken, and what comes later is looked for then. */
  #starting(starts: readonly Start[]): void {
    const later = starts.map(({ waits_ms }) => waits_ms ?? 0).filter((waitsMs) => waitsMs > 0);
    if (later.length > 0) this.#sweeper.note(later.reduce((one, other) => Math.min(one, other)));
    this.#ready(starts.filter(({ waits_ms }) => (waits_ms ?? 0) <= 0).map(({ queue_id }) => queue_id));
  }

  #ready(queueIds: readonly number[]): void {
    if (queueIds.length === 0) return;
    const ids = new Set(queueIds);
    this.#heard([...ids]);
    this.#session?.announce(ids);
  }

  #heard(queueIds: readonly number[] | undefined): void {
    const names = queueIds?.map((id) => this.#queues.nameIfKnown(id));
    // A queue that was made elsewhere may be one that somebody here waits for by its name.
    this.waiting.wake(names?.every((name) => name !== undefined) ? names : undefined);
  }
}

/** Resolves when the work has ended, or after so long. */
async function within(ms: number, work: Promise<unknown> | undefined): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms);
  });
  try {
    await Promise.race([late, work]);
  } finally {
    clearTimeout(timer);
  }
}

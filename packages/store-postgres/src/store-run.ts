import type {
  DeadGroupFilter,
  DeadGroupPage,
  Enqueued,
  LeasedJob,
  LeaseRef,
  NoteItem,
  PageRequest,
  QueuePause,
  RecoveryReport,
  SettleAnswer,
  StorageReport,
  StoreMetrics,
} from '@holdfast/contract';
import { type CheckedClaim, type CheckedClone, type CheckedPause, payloadBytes } from '@holdfast/contract/rules';
import { Acting } from './acting.js';
import { type ClaimPlace, ClaimStarts } from './claim-starts.js';
import { CommitWatch } from './commit-watch.js';
import type { Database } from './database.js';
import { deadGroupList } from './dead-group-list.js';
import { type EnqueueRequest, Enqueuing } from './enqueuing.js';
import { EventFeed } from './event-feed.js';
import { JobNames, NOBODY, tokenText } from './job-names.js';
import { headersOf, RowReader } from './job-rows.js';
import type { CheckedJob } from './new-jobs.js';
import { checkedNotes, keepNotes, type NoteCall } from './noting.js';
import type { CheckedOptions } from './options.js';
import { payloadColumns, payloadOf } from './payload-columns.js';
import { Planning } from './planning.js';
import type { PostgresPool } from './pool.js';
import { QueueNames } from './queue-names.js';
import { type Before, type PauseRow, pauseOf, Reading } from './reading.js';
import { Session } from './session.js';
import { type Lease, type SettleCall, SettleChecks, settle } from './settling.js';
import type { StoreStatements } from './statements.js';
import type { StoreCondition } from './store-condition.js';
import { givenText, storedOrNull, storedText } from './stored-text.js';
import { Sweeper } from './sweeper.js';
import { Sweeping } from './sweeping.js';
import { type PostgresTransaction, queriesIn } from './transactions.js';
import { WaitingClaims } from './waiting-claims.js';
import { WorkerBook } from './worker-book.js';

export interface StoreParts {
  readonly options: CheckedOptions;
  readonly database: Database;
  readonly statements: StoreStatements;
  readonly condition: StoreCondition;
  /** Absent where no connection is kept. */
  readonly sessionPool: PostgresPool | undefined;
  readonly ends: () => Promise<void>;
}

interface MetaRow {
  readonly store_id: string;
  /** The database server that the numbers of transactions are of. */
  readonly cluster: string;
  readonly last_expiry: number;
  readonly is_new: boolean;
  readonly at_ms: number;
}

interface ClaimRow extends ClaimPlace {
  readonly queue_id: number;
  readonly attempts: number;
  readonly token: number;
  readonly name: string;
  readonly max_attempts: number | null;
  readonly payload_text: string | null;
  readonly payload_bytes: Buffer | null;
  readonly headers: string | null;
  readonly timeout_ms: number | null;
  readonly enqueued_at_ms: number;
  readonly backoff_name: string | null;
}

/** A call may take no longer than this to end when the store closes. */
const CLOSE_MS_MAX = 10_000;

export type LeasesListener = (leases: readonly LeaseRef[]) => void;

type Start = { readonly queue_id: number; readonly waits_ms: number | null };

/** What goes on between the opening of a store and its end. Everything that comes in was checked. */
export class StoreRun {
  readonly condition: StoreCondition;
  readonly checks: SettleChecks;
  readonly reading: Reading;
  readonly acting: Acting;
  readonly events: EventFeed;
  readonly planning: Planning;
  readonly workers: WorkerBook;
  readonly waiting: WaitingClaims;
  readonly sweeping: Sweeping;
  /** Set when the store is opened. */
  before!: Before;
  readonly #parts: StoreParts;
  readonly #storeId: string;
  readonly #recovery: RecoveryReport;
  readonly #names: JobNames;
  readonly #queues: QueueNames;
  readonly #enqueuing: Enqueuing;
  readonly #session: Session | undefined;
  readonly #sweeper: Sweeper;
  readonly #commits: CommitWatch;
  readonly #starts: ClaimStarts;
  readonly #cancelListeners = new Set<LeasesListener>();

  static async begin(parts: StoreParts): Promise<StoreRun> {
    const { database, statements } = parts;
    const startedAtMs = performance.now();
    await database.run(statements.adopt);
    const [meta] = await database.run<MetaRow>(statements.meta);
    const [process] = await database.run<{ id: number }>(statements.nextProcess);
    if (meta === undefined || process === undefined) throw new Error('The schema holds no store.');
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

  private constructor(parts: StoreParts, meta: MetaRow, processId: number) {
    const { options, database, statements, condition, sessionPool } = parts;
    this.#parts = parts;
    this.condition = condition;
    this.#storeId = meta.store_id;
    this.#names = new JobNames(meta.store_id);
    this.#queues = new QueueNames(database, { find: statements.queueIds, add: statements.addQueues });
    this.checks = new SettleChecks(this.#names);
    const rows = new RowReader(this.#names, options.retention);
    const common = { database, statements, schema: options.schema, queues: this.#queues, names: this.#names };
    this.reading = new Reading({ ...common, rows });
    const place = `${meta.store_id}${BigInt(meta.cluster).toString(36)}`;
    this.planning = new Planning({ ...common, browsing: this.reading.browsing, place });
    this.acting = new Acting(
      { ...common, planning: this.planning },
      {
        changed: (queueIds) => this.#ready(queueIds),
        ended: (leases) => {
          this.#tellCancelled(leases);
          this.#session?.announceCancelled(leases);
        },
      },
    );
    this.#enqueuing = new Enqueuing(database, statements, this.#queues, this.#names);
    this.#commits = new CommitWatch(database, statements);
    this.events = new EventFeed(database, statements, this.#names, processId);
    const goneReady = async () => (await database.run<{ gone: number }>(statements.goneReady))[0]?.gone ?? 0;
    this.#starts = new ClaimStarts({ countGone: goneReady, nowMs: () => performance.now() });
    this.waiting = new WaitingClaims({
      pollMs: options.pollMs,
      take: (request) => this.take(request),
      handBack: (jobs) => this.handBack(jobs),
    });
    this.workers = new WorkerBook({ database, statements, processId, waiting: () => this.waiting.workers });
    this.sweeping = new Sweeping({
      database,
      statements,
      retention: options.retention,
      ready: (queueIds) => this.#ready(queueIds),
    });
    this.#session = sessionPool === undefined ? undefined : this.#sessionOver(sessionPool, processId);
    this.#sweeper = new Sweeper({
      sweepMs: options.sweepMs,
      sweeping: this.sweeping,
      leads: async () => this.#session?.leads() ?? true,
    });
    const noLeases = { retried: 0, dead: 0 };
    const nothing = { segments: 0, bytesRead: 0, recordsReplayed: 0, tookMs: 0, leasesEnded: noLeases };
    this.#recovery = { kind: 'clean', atMs: meta.at_ms, ...nothing, epoch: processId };
  }

  #sessionOver(pool: PostgresPool, processId: number): Session {
    const { options, statements, condition } = this.#parts;
    return new Session(
      {
        pool,
        schema: options.schema,
        statements,
        reached: condition.reached,
        heard: (ids) => this.#heard(ids),
        cancelled: (leases) => this.#tellCancelled(leases),
      },
      processId,
    );
  }

  async enqueue(jobs: readonly CheckedJob[], request: EnqueueRequest | undefined): Promise<Enqueued[]> {
    const { answers, starts } = await this.#enqueuing.enqueue(jobs, request);
    this.#starting(starts);
    return answers;
  }

  /** The answer is provisional until the caller commits; whoever waits for the jobs is woken then. */
  async enqueueIn(
    transaction: PostgresTransaction,
    jobs: readonly CheckedJob[],
    request: EnqueueRequest | undefined,
  ): Promise<Enqueued[]> {
    const queries = queriesIn('enqueue', transaction);
    const { answers, starts } = await this.#enqueuing.enqueueIn(queries, this.#session?.queries, jobs, request);
    const [row] = await queries.run<{ transaction: string }>(this.#parts.statements.transaction);
    if (row !== undefined && starts.length > 0) this.#commits.watch(row.transaction, () => this.#starting(starts));
    return answers;
  }

  /** One look for jobs; it waits for nothing. */
  async take({ queues, names, limit, leaseMs, worker }: CheckedClaim): Promise<LeasedJob[]> {
    const { database, statements } = this.#parts;
    const ids = await this.#queues.known(queues);
    if (ids.length === 0) return [];
    const values = [ids, names?.map(storedText) ?? null, limit, leaseMs, storedText(worker)];
    const key = JSON.stringify([ids, names]);
    const rows = await this.#starts.take(key, limit, ({ priority, rank_ms, number }) =>
      database.run<ClaimRow>(statements.claim, [...values, priority, rank_ms, number]),
    );
    return rows.map((row) => this.#leasedJob(row, leaseMs));
  }

  deadGroups(filter: DeadGroupFilter, page: PageRequest): Promise<DeadGroupPage> {
    const { database, statements } = this.#parts;
    return deadGroupList({ database, statements, queues: this.#queues, names: this.#names }, filter, page);
  }

  /** Uncounted: whoever asked does not want them any more. */
  async handBack(jobs: readonly LeasedJob[]): Promise<void> {
    if (jobs.length > 0) await this.settle(this.checks.release(jobs));
  }

  async settle(call: SettleCall): Promise<SettleAnswer[]> {
    const { answers, starts, workers } = await settle(this.#parts.database, this.#parts.statements, call);
    this.#starting(starts);
    for (const worker of workers) this.workers.extended(worker);
    return answers;
  }

  /** The answers are provisional until the caller commits. */
  async settleIn(transaction: PostgresTransaction, call: SettleCall): Promise<SettleAnswer[]> {
    return (await settle(queriesIn('ack', transaction), this.#parts.statements, call)).answers;
  }

  noteCall(items: readonly NoteItem[]): NoteCall {
    return checkedNotes(items, this.#names);
  }

  note(call: NoteCall): Promise<SettleAnswer[]> {
    return keepNotes(this.#parts.database, this.#parts.statements, call);
  }

  /** @returns how to stop listening */
  onLeasesCancelled(listener: LeasesListener): () => void {
    this.#cancelListeners.add(listener);
    return () => this.#cancelListeners.delete(listener);
  }

  async clone({ id, by, payload }: CheckedClone): Promise<Enqueued | undefined> {
    const { database, statements } = this.#parts;
    const number = this.#names.number(id);
    if (number === NOBODY) return undefined;
    const columns = payload === undefined ? [null, null, null] : [...payloadColumns(payload), payloadBytes([payload])];
    const values = [number, ...columns, storedText(by.actor), storedOrNull(by.reason)];
    const [row] = await database.run<{ number: number; queue_id: number }>(statements.clone, values);
    if (row === undefined) return undefined;
    this.#ready([row.queue_id]);
    return { id: this.#names.id(row.number), state: 'ready', outcome: 'created' };
  }

  async pause({ queue, by, forMs }: CheckedPause): Promise<QueuePause> {
    const { database, statements } = this.#parts;
    const id = (await this.#queues.idsOf([queue])).get(queue);
    const values = [id, forMs ?? null, storedText(by.actor), storedOrNull(by.reason)];
    const [row] = await database.run<PauseRow>(statements.pause, values);
    if (row === undefined) throw new Error(`The queue ${queue} is gone from its table.`);
    return pauseOf(row);
  }

  async resume({ queue, by }: CheckedPause): Promise<boolean> {
    const { database, statements } = this.#parts;
    const rows = await database.run<{ id: number }>(statements.resume, [storedText(queue), storedText(by.actor)]);
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
    const { database, statements, options } = this.#parts;
    const [row] = await database.run<{ bytes: number; lsn: string }>(statements.storage);
    return {
      kind: 'postgres',
      location: `${options.location}, schema ${options.schema}`,
      storeId: this.#storeId,
      segments: [],
      bytes: row?.bytes ?? 0,
      durableSeq: row?.lsn ?? '0',
      recovery: this.#recovery,
    };
  }

  async sweepByHand(): Promise<number> {
    await this.#sweeper.stop();
    return this.sweeping.all();
  }

  /** @param calls those that were made before and are not answered yet */
  async close(calls: () => Promise<unknown>): Promise<void> {
    this.waiting.endAll();
    this.events.end();
    this.#commits.stop();
    this.workers.stop();
    let timer: NodeJS.Timeout | undefined;
    const longest = new Promise((resolve) => {
      timer = setTimeout(resolve, CLOSE_MS_MAX);
    });
    await Promise.race([longest, Promise.all([calls(), this.#sweeper.stop()])]);
    clearTimeout(timer);
    await this.#session?.close();
    this.condition.closed();
    await this.#parts.ends();
  }

  async abandon(): Promise<void> {
    this.#session?.abandon();
    this.#commits.stop();
    this.workers.stop();
    this.waiting.endAll();
    this.events.end();
    await this.#sweeper.stop();
    this.condition.closed();
    await this.#parts.ends();
  }

  #tellCancelled(leases: readonly Lease[]): void {
    const refs = leases.map(({ number, token }) => ({ id: this.#names.id(number), token: tokenText(token) }));
    if (refs.length > 0) for (const listener of this.#cancelListeners) listener(refs);
  }

  #leasedJob(row: ClaimRow, leaseMs: number): LeasedJob {
    return {
      id: this.#names.id(row.number),
      token: tokenText(row.token),
      queue: this.#queues.name(row.queue_id),
      name: givenText(row.name),
      payload: payloadOf(row.payload_text, row.payload_bytes),
      priority: row.priority,
      attempt: row.attempts,
      maxAttempts: row.max_attempts,
      enqueuedAtMs: row.enqueued_at_ms,
      leaseMs,
      ...(row.timeout_ms === null ? {} : { timeoutMs: row.timeout_ms }),
      ...(row.headers === null ? {} : { headers: headersOf(row.headers) }),
      ...(row.backoff_name === null ? {} : { backoffName: givenText(row.backoff_name) }),
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

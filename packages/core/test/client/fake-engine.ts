import type {
  ActedBy,
  ActOutcome,
  DeadGroupPage,
  HistogramSeries,
  JobDetail,
  LeaseRow,
  Page,
  QueuePause,
  Selection,
  StorageReport,
  StoreMetrics,
} from '@holdfast/contract';
import type {
  ClaimedJob,
  CloneAnswer,
  Done,
  EngineAck,
  EngineClaim,
  EngineClone,
  EngineExtend,
  EngineFail,
  EngineJob,
  EngineJobs,
  EngineNote,
  EnginePause,
  EngineRelease,
  EngineRequest,
  EnqueueAnswer,
  JobAct,
  PendingClaim,
  PlanPart,
  SettleDone,
} from '../../src/engine/engine-calls.js';
import type { HostedEngine } from '../../src/host/job-call-handlers.js';
import { listedJobs } from './listed-jobs.js';

/** What a fake engine was told, in order: a word for each call. */
export type Told = string;

/**
 * An engine that notes what it is told and answers at the end of each turn what a test wants; it keeps no jobs. It shows what passes
 * between client and engine, which the engine's own answers would hide.
 */
export class FakeEngine implements HostedEngine {
  readonly storeTag: string;
  readonly told: Told[] = [];
  readonly enqueued: EngineJob[] = [];
  /** Claims that were not answered, with what answers them. */
  readonly claims: Done<readonly ClaimedJob[]>[] = [];
  /** While true, enqueues stay without an answer. */
  holding = false;
  /** Called with each enqueue. */
  onEnqueue: () => void = () => {};
  leaseRows: LeaseRow[] = [];
  full: string | undefined;
  #due: (() => void)[] = [];
  #nextId = 1;

  constructor(storeTag = 'abcde') {
    this.storeTag = storeTag;
  }

  enqueue(columns: EngineJobs, done: Done<EnqueueAnswer>, request?: EngineRequest): void {
    const jobs = listedJobs(columns);
    this.told.push(`enqueue ${jobs.length}${request === undefined ? '' : ` as ${request.id}`}`);
    this.enqueued.push(...jobs);
    this.onEnqueue();
    const firstId = this.#nextId;
    this.#nextId += jobs.length;
    const scheduled = Uint8Array.from(jobs, ({ delayMs }) => (delayMs === undefined ? 0 : 1));
    if (!this.holding) this.#due.push(() => done(undefined, { firstId, scheduled }));
  }

  claim(request: EngineClaim, done: Done<readonly ClaimedJob[]>): PendingClaim {
    this.told.push(`claim ${request.limit}`);
    this.claims.push(done);
    return {
      cancel: () => {
        this.told.push('cancel');
        this.claims.splice(this.claims.indexOf(done), 1);
        this.#due.push(() => done(undefined, []));
      },
    };
  }

  ack(items: readonly EngineAck[], done: SettleDone): void {
    this.#settle('ack', items, done);
  }

  fail(items: readonly EngineFail[], done: SettleDone): void {
    this.#settle('fail', items, done);
  }

  release(items: readonly EngineRelease[], done: SettleDone): void {
    this.#settle('release', items, done);
    this.leaseRows = [];
  }

  extend(items: readonly EngineExtend[], done: SettleDone): void {
    this.#settle('extend', items, done);
  }

  note(items: readonly EngineNote[], done: SettleDone): void {
    this.#settle('note', items, done);
  }

  act(act: JobAct, _selection: Selection, _by: ActedBy, done: Done<ActOutcome>): void {
    const more = act.kind === 'reprioritise' ? [act.priority] : act.kind === 'transfer' ? [act.queue] : [];
    this.told.push([act.kind, ...more].join(' '));
    this.#due.push(() => done(undefined, { matched: 0, done: 0, skipped: {} }));
  }

  clone({ id, payload }: EngineClone, done: Done<CloneAnswer>): void {
    this.told.push(`clone ${id} ${String(payload)}`);
    this.#due.push(() => done(undefined, { id: payload === 'unknown' ? undefined : 35 }));
  }

  pause({ queue, forMs }: EnginePause, done: Done<QueuePause>): void {
    this.told.push(`pause ${queue} ${forMs}`);
    this.#due.push(() => done(undefined, { sinceMs: 1, actor: 'olga' }));
  }

  resume({ queue }: Omit<EnginePause, 'forMs'>, done: Done<boolean>): void {
    this.told.push(`resume ${queue}`);
    this.#due.push(() => done(undefined, false));
  }

  queues(): never[] {
    this.told.push('queues');
    return [];
  }

  namedQueues(): never[] {
    this.told.push('namedQueues');
    return [];
  }

  job(): JobDetail | undefined {
    return undefined;
  }

  browse(): Page<never> {
    return { rows: [], total: { value: 0, relation: 'exact' } };
  }

  plan(): PlanPart {
    return { asOf: '0.0.0', states: {}, queues: [], samples: [], scanned: 0 };
  }

  deadGroups(): DeadGroupPage {
    return { groups: [], total: { value: 0, relation: 'exact' } };
  }

  workers(): never[] {
    return [];
  }

  leases(): LeaseRow[] {
    return this.leaseRows;
  }

  leaseExpiries(): never[] {
    return [];
  }

  metrics(): StoreMetrics {
    const totals = {
      enqueued: 0,
      claimed: 0,
      completed: 0,
      failed: 0,
      dead: 0,
      leaseExpiries: 0,
      commits: 0,
      bytesWritten: 0,
    };
    return { stepMs: 1000, syncLatency: [], commits: [], totals, engineStallMsMax: 0 };
  }

  histograms(): HistogramSeries {
    throw new Error('not asked here');
  }

  events(): PendingClaim {
    throw new Error('not asked here');
  }

  snapshot(): void {
    throw new Error('not asked here');
  }

  storage(): StorageReport {
    throw new TypeError('this fake keeps nothing');
  }

  expireLeases(): void {
    this.told.push('expire');
  }

  endTurn(): void {
    const due = this.#due;
    this.#due = [];
    for (const answer of due) answer();
  }

  close(done: () => void): void {
    this.told.push('close');
    this.endTurn();
    for (const claim of this.claims.splice(0)) claim(undefined, []);
    done();
  }

  /** Id 0 is how a foreign id arrives. */
  #settle(word: string, items: readonly { readonly id: number }[], done: SettleDone): void {
    this.told.push(`${word} ${items.length}`);
    this.#due.push(() =>
      done(
        undefined,
        items.map(({ id }) => (id === 0 ? 'missing' : 'ok')),
      ),
    );
  }
}

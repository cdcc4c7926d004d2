import { isDeepStrictEqual } from 'node:util';
import type {
  ActivityEntry,
  AdminRole,
  BulkOperation,
  Clock,
  Enqueued,
  JobDetail,
  JobId,
  JobStore,
} from '@holdfast/contract';
import { Inject, Injectable } from '@nestjs/common';
import { HOLDFAST_STORE } from '../holdfast.tokens.js';
import { type ActingPerson, ActivityLog, type BegunEntry } from './activity-log.js';
import { ADMIN_CLOCK } from './admin-clock.js';
import { filterOf } from './bulk-plan.js';
import { Refusal } from './refusal.js';
import { requestKey } from './request-key.js';
import type { Plan } from './request-schema.js';

const NOTES_QUEUE = 'holdfast.operations';
const WISHES_QUEUE = 'holdfast.operation-wishes';
export const RUNS_QUEUE = 'holdfast.operation-runs';
/** Of what is known of an operation, since it last changed. */
const KEPT_MS = 30 * 86_400_000;
const SPARE_MS = 60_000;
const LISTED_MAX = 100;

export type Wish = 'run' | 'pause' | 'abort';

/** What the store keeps of an operation. Only its runner writes it; what people want of it stands in a note of its own. */
export interface OperationNote extends Omit<BulkOperation, 'id'> {
  readonly key: string;
  readonly asOf: string;
  readonly wishKey: string;
  readonly wishId: JobId;
  /** Which of the states, or how many of the ids, are done with, and where the next piece begins. */
  readonly at: { readonly step: number; readonly cursor?: string };
  readonly activity: BegunEntry;
  /** The lease of who works on it; one with a later lease has taken over. */
  readonly runner?: string;
  /** Somebody worked on it before this runner. */
  readonly resumed?: boolean;
}

/** How an operation is begun, beside what it does. */
export interface Start {
  readonly ratePerSecond: number;
  /** Until then nothing is touched. */
  readonly waitMs: number;
  /** Another one with the same id, of the same person, is this one. */
  readonly requestId: string;
}

export interface KnownOperation {
  readonly id: JobId;
  readonly note: OperationNote;
  readonly wish: Wish;
}

/**
 * Bulk operations as the store keeps them: as jobs of queues of Holdfast's own, so that they survive a restart over every store. A note
 * (what is done), a wish (what people want), and while there is work a run, which one process at a time has leased.
 */
@Injectable()
export class BulkOperations {
  readonly #store: JobStore;
  readonly #clock: Pick<Clock, 'now'>;
  readonly #activity: ActivityLog;

  constructor(
    @Inject(HOLDFAST_STORE) store: JobStore,
    @Inject(ADMIN_CLOCK) clock: Pick<Clock, 'now'>,
    activity: ActivityLog,
  ) {
    this.#store = store;
    this.#clock = clock;
    this.#activity = activity;
  }

  /**
   * All that is kept of it has a key of its request, and what is there already stays: so a request that is repeated, at the same time or after
   * its server ended midway, makes of it what is missing.
   * @throws Refusal where the request began another operation
   */
  async create(plan: Plan, by: ActingPerson, { ratePerSecond, waitMs, requestId }: Start): Promise<BulkOperation> {
    const { target } = plan;
    const nowMs = this.#clock.now();
    const key = requestKey(by.actor, requestId);
    const wish = await this.#keep(WISHES_QUEUE, key, { wish: 'run' }, 'keep');
    const activity = await this.#activity.begin(by, `bulk ${target.act.kind}`, activityTarget(plan), key);
    const note: OperationNote = {
      ...target,
      ...by,
      ...{ key, wishKey: key, wishId: wish.id, activity, ratePerSecond },
      ...{ asOf: plan.asOf, planned: plan.planned, done: 0, skipped: {}, at: { step: 0 } },
      ...{ status: 'waiting', createdAtMs: nowMs, updatedAtMs: nowMs, startsAtMs: nowMs + waitMs },
    };
    const { id, outcome } = await this.#keep(NOTES_QUEUE, key, note, 'keep');
    if (outcome === 'duplicate') return this.#again(id, note);
    await this.#run(id, waitMs);
    return shown({ id, note, wish: 'run' });
  }

  /** What the request began before. Its run is missing where the server ended between the two. */
  async #again(id: JobId, asked: OperationNote): Promise<BulkOperation> {
    const known = await this.find(id);
    if (known === undefined) throw noSuchOperation();
    if (!isSameStart(known.note, asked)) throw startedOtherwise();
    const { status, startsAtMs } = known.note;
    if (status === 'waiting') await this.#run(id, Math.max(0, startsAtMs - this.#clock.now()));
    return shown(known);
  }

  /** Newest first. */
  async list(): Promise<BulkOperation[]> {
    const page = await this.#store.browse({ queue: NOTES_QUEUE, state: 'scheduled' }, { limit: LISTED_MAX });
    const known = await Promise.all(page.rows.map(({ id }) => this.find(id)));
    return known.flatMap((operation) => (operation === undefined ? [] : [shown(operation)]));
  }

  async find(id: JobId): Promise<KnownOperation | undefined> {
    const job = await this.#store.job(id);
    if (job === undefined || job.queue !== NOTES_QUEUE) return undefined;
    const note = contents<OperationNote>(job);
    const wish = await this.#store.job(note.wishId);
    return { id, note, wish: wish === undefined ? 'run' : contents<{ wish: Wish }>(wish).wish };
  }

  /** @throws Refusal where it is unknown or over */
  async wish(id: JobId, wish: Wish): Promise<BulkOperation> {
    const before = await this.find(id);
    if (before === undefined) throw noSuchOperation();
    const { status } = shown(before);
    if (isOver({ status })) throw new Refusal(409, 'OPERATION_OVER', `The operation is ${status} already.`);
    await this.#keep(WISHES_QUEUE, before.note.wishKey, { wish }, 'replace');
    // Whoever runs it looks at the wish after it has written its last word; so one of the two sees the other.
    const after = (await this.find(id)) ?? before;
    if (after.note.status !== 'running') await this.#run(id, Math.max(0, after.note.startsAtMs - this.#clock.now()));
    return shown(after);
  }

  async save(id: JobId, note: OperationNote): Promise<OperationNote> {
    const saved = { ...note, updatedAtMs: this.#clock.now() };
    const kept = await this.#keep(NOTES_QUEUE, note.key, saved, 'replace');
    if (kept.id !== id) throw new Error(`The note of operation ${id} has become ${kept.id}.`);
    return saved;
  }

  /** Notes its end, also among the acts of its person. */
  async end(id: JobId, note: OperationNote, status: 'done' | 'aborted' | 'failed', problem?: string): Promise<void> {
    const counted = Object.values(note.skipped).reduce((sum, count) => sum + count, note.done);
    const changed = status === 'done' ? Math.max(0, note.planned - counted) : 0;
    const skipped = changed === 0 ? note.skipped : { ...note.skipped, changed };
    const ended = { ...note, status, skipped, endedAtMs: this.#clock.now() };
    await this.save(id, problem === undefined ? ended : { ...ended, problem });
    const { changed: _changed, ...byState } = skipped;
    await this.#activity.end(
      note.activity,
      { matched: note.planned, done: note.done, skipped: byState },
      status === 'failed' ? 'OPERATION_FAILED' : undefined,
    );
  }

  /** Whether there is work for a runner. */
  async hasRuns(): Promise<boolean> {
    const [queue] = await this.#store.queues([RUNS_QUEUE]);
    if (queue === undefined) return false;
    const { counts } = queue;
    return counts.ready + counts.scheduled + counts.leased > 0;
  }

  /** Once more, if it is running: the one that runs may have seen the wish before this one. */
  async #run(id: JobId, delayMs: number): Promise<void> {
    const job = { queue: RUNS_QUEUE, name: 'run', payload: JSON.stringify({ id }), maxAttempts: null };
    const backoff = { kind: 'fixed', baseMs: 1000, jitter: 'none' } as const;
    const dedupe = { key: id, onConflict: 'runOnceMore' } as const;
    await this.#store.enqueue([{ ...job, backoff, dedupe, ...(delayMs === 0 ? {} : { delayMs }) }]);
  }

  async #keep(queue: string, key: string, value: object, onConflict: 'keep' | 'replace'): Promise<Enqueued> {
    const [kept] = await this.#store.enqueue([
      {
        queue,
        name: 'note',
        payload: JSON.stringify(value),
        delayMs: KEPT_MS - SPARE_MS,
        expiresInMs: KEPT_MS,
        dedupe: { key, onConflict },
      },
    ]);
    if (kept === undefined) throw new Error('The store took a job and did not say which one it is.');
    return kept;
  }
}

function activityTarget({ target }: Plan): ActivityEntry['target'] {
  const filter = filterOf(target);
  const ids = 'ids' in target.selection ? target.selection.ids : undefined;
  return {
    ...(filter === undefined ? {} : { filter }),
    ...(ids === undefined ? {} : { ids: ids.slice(0, LISTED_MAX), idsCount: ids.length }),
    ...(target.act.kind === 'transfer' ? { toQueue: target.act.queue } : {}),
  };
}

function isSameStart(one: OperationNote, other: OperationNote): boolean {
  const started = ({ act, selection, asOf, planned, ratePerSecond, reason }: OperationNote) => ({
    ...{ act, selection, asOf, planned, ratePerSecond, reason },
  });
  return isDeepStrictEqual(started(one), started(other));
}

function startedOtherwise(): Refusal {
  const detail =
    'This request has begun an operation already, with another plan, rate or reason: GET bulk/operations lists it. ' +
    'Give a new operation a request id of its own. Nothing was changed.';
  return new Refusal(409, 'REQUEST_MISMATCH', detail, 'requestId');
}

/** As people see it: what they want of one that nobody runs is so at once. */
export function shown({ id, note, wish }: KnownOperation): BulkOperation {
  const {
    key: _key,
    asOf: _asOf,
    wishKey: _wishKey,
    wishId: _wishId,
    at: _at,
    activity: _activity,
    runner: _runner,
    resumed: _resumed,
    ...rest
  } = note;
  if (note.status !== 'waiting' && note.status !== 'paused') return { id, ...rest };
  const wanted = { run: note.status, pause: 'paused', abort: 'aborted' } as const;
  return { id, ...rest, status: wanted[wish] };
}

export function isOver({ status }: Pick<BulkOperation, 'status'>): boolean {
  return status === 'done' || status === 'aborted' || status === 'failed';
}

export function noSuchOperation(): Refusal {
  return new Refusal(404, 'OPERATION_NOT_FOUND', 'There is no such operation, or not any more.');
}

/** The role that an act needs. */
export function roleFor(kind: BulkOperation['act']['kind']): AdminRole {
  return kind === 'remove' ? 'admin' : 'operator';
}

function contents<Value>(job: JobDetail): Value {
  return JSON.parse(String(job.payload)) as Value;
}

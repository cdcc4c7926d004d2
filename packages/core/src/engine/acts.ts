import {
  type ActedBy,
  type ActOutcome,
  type Clock,
  HoldfastError,
  type JobState,
  type PlannedPiece,
  type Selection,
} from '@holdfast/contract';
import { parseId } from '../identity.js';
import {
  ACT_PARTS,
  type ActBytes,
  actBodyBytes,
  actBytes,
  encodeActHead,
  encodeActItem,
  queueBytes,
} from '../state/act-records.js';
import { NONE } from '../state/job-columns.js';
import { countJobs } from '../state/job-scan.js';
import { EVENT, refuses, STATE, stateName, stateNumber } from '../state/job-state.js';
import type { JobTable } from '../state/job-table.js';
import { RECORD } from '../state/record-kinds.js';
import { encodeRedrive, redriveBodyBytes } from '../state/settle-records.js';
import type { Call, Commits, DurableCall } from './commits.js';
import type { Done, EngineLeaseRef, JobAct } from './engine-calls.js';
import type { Events } from './events.js';
import { JobChoice } from './job-choice.js';
import type { JobSearch } from './job-search.js';

export interface ActParts {
  readonly table: JobTable;
  readonly commits: Commits;
  readonly events: Events;
  readonly search: JobSearch;
  readonly clock: Clock;
  readonly storeTag: string;
  /** Told once it is written. */
  onLeasesCancelled(leases: readonly EngineLeaseRef[]): void;
}

/** Jobs that are looked at in one turn, by all acts together: a millisecond or two, so that other calls do not wait. */
export const ACT_SLICE_JOBS = 1000;
/** Places of the table at which all acts together look in one turn to choose their jobs: as long. */
export const ACT_SLICE_LOOKS = 20_000;

/** One act on its way through its selection. */
class ActCall implements DurableCall {
  seq = 0;
  readonly bytes = 0;
  readonly act: JobAct;
  readonly by: ActBytes;
  /** In the order in which they are done; 0 is no job. Empty until they are chosen. */
  ids: readonly number[] | Float64Array;
  /** While its jobs are chosen. */
  choice: JobChoice | undefined;
  /** The one that the jobs have to be in; `undefined` where they were named. */
  readonly state: number | undefined;
  /** Where the next piece of a planned act begins. */
  nextPiece: string | undefined;
  next = 0;
  done = 0;
  readonly skipped: Partial<Record<JobState | 'missing', number>> = {};
  readonly #done: Done<ActOutcome>;

  constructor(
    act: JobAct,
    by: ActedBy,
    ids: readonly number[] | Float64Array,
    state: number | undefined,
    done: Done<ActOutcome>,
  ) {
    this.act = act;
    this.by = actBytes(by.actor, by.reason);
    this.ids = ids;
    this.state = state;
    this.#done = done;
  }

  skip(why: JobState | 'missing', count: number): void {
    this.skipped[why] = (this.skipped[why] ?? 0) + count;
  }

  durable(): void {}

  finish(error: HoldfastError | undefined): void {
    const { done, skipped, nextPiece } = this;
    const next = nextPiece === undefined ? {} : { next: nextPiece };
    const matched = Object.values(skipped).reduce((sum, count) => sum + count, done);
    this.#done(error, error === undefined ? { matched, done, skipped, ...next } : undefined);
  }
}

/** What operators do to jobs, one act after the other, each in slices. */
export class Acts {
  readonly #parts: ActParts;
  readonly #pending: ActCall[] = [];
  readonly #slots = new Uint32Array(ACT_SLICE_JOBS);
  /** Jobs that may still be looked at in this turn. */
  #left = ACT_SLICE_JOBS;
  #looksLeft = ACT_SLICE_LOOKS;

  constructor(parts: ActParts) {
    this.#parts = parts;
  }

  get isBusy(): boolean {
    return this.#pending.length > 0;
  }

  start(act: JobAct, selection: Selection, by: ActedBy, done: Done<ActOutcome>): void {
    if ('ids' in selection) this.#pending.push(this.#byId(act, selection.ids, by, done));
    else if ('asOf' in selection) this.#startPiece(act, selection, by, done);
    else this.#pending.push(this.#all(act, selection.all, by, done));
    this.#work();
  }

  /** The part of the work that belongs to this turn. */
  endTurn(): void {
    this.#work();
    this.#left = ACT_SLICE_JOBS;
    this.#looksLeft = ACT_SLICE_LOOKS;
  }

  /** Monotonic time of the next slice: now, or Infinity without one. */
  nextMs(): number {
    return this.isBusy ? this.#parts.clock.monotonicMs() : Number.POSITIVE_INFINITY;
  }

  /** Acts that are not done, for a store that has failed: a part of their jobs may be changed. */
  takeAll(): Call[] {
    return this.#pending.splice(0);
  }

  #byId(act: JobAct, texts: readonly string[], by: ActedBy, done: Done<ActOutcome>): ActCall {
    const ids = [...new Set(texts)].map((text) => parseId(this.#parts.storeTag, text) ?? 0);
    return new ActCall(act, by, ids, undefined, done);
  }

  /** A cursor or a plan that is none concerns its caller alone. */
  #startPiece(act: JobAct, piece: PlannedPiece, by: ActedBy, done: Done<ActOutcome>): void {
    try {
      const { ids, next } = this.#parts.search.piece(piece);
      const call = new ActCall(act, by, ids, stateNumber(piece.all.state), done);
      call.nextPiece = next;
      this.#pending.push(call);
    } catch (error) {
      if (!(error instanceof HoldfastError)) throw error;
      this.#parts.commits.answerWritten({ finish: (failure) => done(failure ?? error, undefined) });
    }
  }

  #all(
    act: JobAct,
    all: { state: JobState; queue?: string; name?: string },
    by: ActedBy,
    done: Done<ActOutcome>,
  ): ActCall {
    const { table } = this.#parts;
    const state = stateNumber(all.state);
    const filter = { state, queue: all.queue, name: all.name };
    const call = new ActCall(act, by, [], state, done);
    if (!refuses(state, EVENT[act.kind])) {
      call.choice = new JobChoice(table, filter);
      return call;
    }
    const count = countJobs(table, filter);
    if (count > 0) call.skip(all.state, count);
    return call;
  }

  #work(): void {
    // Before anything is done: the jobs of each act are those of the moment when it was called.
    if (this.#pending.some((call) => !this.#choose(call))) return;
    for (let call = this.#pending[0]; call !== undefined; call = this.#pending[0]) {
      this.#slice(call);
      if (call.next < call.ids.length) return;
      this.#pending.shift();
      this.#parts.commits.answerAllDurable(call);
    }
  }

  /** @returns whether its jobs are chosen */
  #choose(call: ActCall): boolean {
    const { choice } = call;
    if (choice === undefined) return true;
    this.#looksLeft -= choice.look(this.#looksLeft);
    if (!choice.isDone) return false;
    call.ids = choice.take();
    call.choice = undefined;
    return true;
  }

  #slice(call: ActCall): void {
    const { table } = this.#parts;
    const event = EVENT[call.act.kind];
    const end = Math.min(call.ids.length, call.next + this.#left);
    this.#left -= end - call.next;
    let count = 0;
    for (; call.next < end; call.next++) {
      const slot = table.ids.find(call.ids[call.next]!);
      const state = slot === NONE ? undefined : table.columns.state[slot]!;
      if (state === undefined) call.skip('missing', 1);
      else if (refuses(state, event) || state !== (call.state ?? state)) call.skip(stateName(state), 1);
      else if (call.act.kind === 'transfer' && this.#isIn(slot, call.act.queue)) call.skip(stateName(state), 1);
      else this.#slots[count++] = slot;
    }
    call.done += count;
    if (count > 0) this.#apply(call.act, call.by, count);
  }

  #isIn(slot: number, queue: string): boolean {
    return this.#parts.table.shapeOf(slot).queue === queue;
  }

  #apply(act: JobAct, by: ActBytes, count: number): void {
    if (act.kind === 'transfer') this.#transfer(act.queue, by, count);
    else if (act.kind !== 'redrive') this.#applyTogether(act, by, count);
    else for (let index = 0; index < count; index++) this.#redrive(this.#slots[index]!, by);
  }

  #redrive(slot: number, by: ActBytes): void {
    const { table, commits, events, clock } = this.#parts;
    const atMs = clock.now();
    const bodyBytes = redriveBodyBytes(by);
    commits.room(bodyBytes);
    const record = commits.reserve(RECORD.redrive, bodyBytes);
    encodeRedrive(record, { atMs, id: table.columns.id[slot]!, previous: table.columns.history[slot]! }, by);
    if (events.isOn) events.job('redriven', slot);
    table.redrive(slot, atMs, record.location);
  }

  /** One record for those of each queue. */
  #transfer(to: string, by: ActBytes, count: number): void {
    const { table, commits, clock } = this.#parts;
    const { transfer } = ACT_PARTS;
    const atMs = clock.now();
    for (const [from, group] of this.#byQueue(count)) {
      const queues = queueBytes(from, to);
      const bodyBytes = actBodyBytes(transfer, by, group.length, queues);
      commits.room(bodyBytes);
      const record = commits.reserve(RECORD.transfer, bodyBytes);
      const { location } = record;
      const writer = encodeActHead(record, transfer, { atMs, priority: 0, count: group.length }, by, queues);
      for (const slot of group) {
        encodeActItem(writer, transfer, table.columns.id[slot]!, table.columns.history[slot]!);
        table.transfer(slot, from, to, location);
      }
    }
  }

  #byQueue(count: number): Map<string, number[]> {
    const groups = new Map<string, number[]>();
    for (const slot of this.#slots.subarray(0, count)) {
      const { queue } = this.#parts.table.shapeOf(slot);
      const group = groups.get(queue);
      if (group === undefined) groups.set(queue, [slot]);
      else group.push(slot);
    }
    return groups;
  }

  #tellCancelled(leases: readonly EngineLeaseRef[]): void {
    const { commits, onLeasesCancelled } = this.#parts;
    commits.answerWritten({
      finish: (error) => {
        if (error === undefined) onLeasesCancelled(leases);
      },
    });
  }

  /** One record for all of them. */
  #applyTogether(act: Exclude<JobAct, { kind: 'redrive' | 'transfer' }>, by: ActBytes, count: number): void {
    const { table, commits, events, clock } = this.#parts;
    const { columns } = table;
    const parts = ACT_PARTS[act.kind];
    const atMs = clock.now();
    const bodyBytes = actBodyBytes(parts, by, count);
    commits.room(bodyBytes);
    const record = commits.reserve(RECORD[act.kind], bodyBytes);
    const { location } = record;
    const priority = act.kind === 'reprioritise' ? act.priority : 0;
    const writer = encodeActHead(record, parts, { atMs, priority, count }, by);
    const leases: EngineLeaseRef[] = [];
    for (let index = 0; index < count; index++) {
      const slot = this.#slots[index]!;
      const id = columns.id[slot]!;
      encodeActItem(writer, parts, id, columns.history[slot]!);
      if (act.kind === 'runNow') table.runNow(slot, atMs, location);
      else if (act.kind === 'reprioritise') table.reprioritise(slot, priority, location);
      else {
        if (events.isOn) events.job(act.kind === 'cancel' ? 'cancelled' : 'removed', slot);
        if (columns.state[slot] === STATE.leased) leases.push({ id, token: table.tokenOf(slot) });
        if (act.kind === 'cancel') table.cancel(slot, atMs, location);
        else table.remove(slot);
      }
    }
    if (leases.length > 0) this.#tellCancelled(leases);
  }
}

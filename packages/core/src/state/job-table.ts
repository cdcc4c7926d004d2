import type { JobError, Retention } from '@holdfast/contract';
import { DeadGroups } from './dead-groups.js';
import { EndedJobs } from './ended-jobs.js';
import type { EnqueueFields } from './enqueue-record.js';
import type { Forgotten, ForgottenDead, RecordPlace } from './forgotten-record.js';
import { IdIndex } from './id-index.js';
import { JobColumns, NONE } from './job-columns.js';
import { ExpiryHeap } from './job-heaps.js';
import { EVENT, eventName, nextState, refuses, STATE, STATES, stateName } from './job-state.js';
import { KeyTable } from './key-table.js';
import type { Lane } from './lane.js';
import { type LeaseStart, LeaseTable } from './lease-table.js';
import type { MoveFields } from './move-record.js';
import type { NoteFields } from './note-record.js';
import { PauseTable } from './pause-table.js';
import { RecordError } from './record-body.js';
import { EndOrder, RankOrder, TokenOrder } from './record-order.js';
import { RequestTable } from './request-table.js';
import { KeptBytes } from './segment-bytes.js';
import { type Shape, ShapeTable } from './shape-table.js';
import { WaitingJobs } from './waiting-jobs.js';

/** Scheduled jobs that are brought nearer to their time at once: about a millisecond. */
const AHEAD_MOVES_MAX = 4000;

/** What a MOVE says of a job's end, beside its fields. */
export interface MovedEnd {
  readonly resultBytes?: number | undefined;
  /** Of the last attempt of a dead job. */
  readonly error?: JobError | undefined;
}

/**
 * All jobs in memory. The methods that are named like the records (and `due`) are the only code that changes a job; the live path
 * calls them with what it has just written, a replay with what it reads, so both end in the same state. Every change is
 * checked against LIFECYCLE: one that it refuses, or a token that is not the live lease's, is a RecordError and changes
 * nothing.
 */
export class JobTable {
  readonly columns = new JobColumns();
  readonly ids = new IdIndex();
  readonly leases = new LeaseTable();
  readonly waiting = new WaitingJobs(this.columns);
  readonly expiries = new ExpiryHeap(this.columns);
  readonly shapes: ShapeTable;
  readonly pauses: PauseTable;
  readonly kept = new KeptBytes();
  readonly homes = this.kept.homes;
  readonly ended = new EndedJobs(this.columns, this.kept.facts, (slot) => this.#forgetEnded(slot));
  /** Every id in the table is below it. */
  nextId = 1;
  readonly requests = new RequestTable(undefined, this.kept.facts);
  readonly keys = new KeyTable(this.columns, this.kept.facts);
  readonly ranks = new RankOrder();
  readonly tokens = new TokenOrder();
  readonly ends = new EndOrder();
  readonly deaths = new DeadGroups();
  /** Every job that can be seen, or could be, has a lower id. */
  shownBelowId = 1;

  constructor(retention: Retention) {
    this.shapes = new ShapeTable(this.columns, retention);
    this.pauses = new PauseTable(this.shapes, this.kept.facts);
  }

  /** A replay is over: what waits is put in order. See WaitingJobs. */
  order(): void {
    this.waiting.order((slot) => this.shapeOf(slot).lane);
  }

  /** Applies ENQUEUE. The job stays hidden until `publish`. */
  enqueue(fields: EnqueueFields, shape: Shape, location: number, recordBytes: number): number {
    const { id } = fields;
    if (id < this.nextId) throw new RecordError(`enqueues the id ${id} again`);
    this.nextId = id + 1;
    const slot = this.#add(fields, shape, location, recordBytes);
    this.#arrive(slot, fields, shape);
    return slot;
  }

  /** Applies REPLACE. A job that is hidden stays so until `publish`. */
  replace(slot: number, fields: EnqueueFields, shape: Shape, location: number, recordBytes: number): void {
    const { columns } = this;
    const state = columns.state[slot]!;
    const former = this.shapeOf(slot);
    const isHidden = state === STATE.hidden;
    if (isHidden) {
      this.expiries.takeBack(slot);
    } else {
      this.#refuse(slot, EVENT.replace);
      this.#leave(slot, state, former.lane);
      former.lane.count(state, -1);
      this.ids.remove(fields.id, state);
      this.expiries.drop(slot);
    }
    this.keys.free(slot);
    this.homes.remove(columns.enqueueLocation[slot]!, columns.enqueueBytes.at(slot));
    this.#fill(slot, fields, shape, location, recordBytes);
    this.shapes.removeJob(former);
    this.#arrive(slot, fields, shape);
    if (!isHidden) this.#show(slot, shape);
  }

  /** Applies REPLACE to a job whose earlier records are gone. */
  recreateReplaced(fields: EnqueueFields, shape: Shape, location: number, recordBytes: number): void {
    this.nextId = Math.max(this.nextId, fields.id + 1);
    const slot = this.#add(fields, shape, location, recordBytes);
    this.#arrive(slot, fields, shape);
    this.#show(slot, shape);
  }

  /** Rank and key of a job that comes, or becomes another one. */
  #arrive(slot: number, fields: EnqueueFields, shape: Shape): void {
    const { enqueuedAtMs, runAtMs } = fields;
    this.columns.rankAtMs[slot] = runAtMs > enqueuedAtMs ? runAtMs : this.ranks.next(enqueuedAtMs);
    if (fields.dedupe !== undefined) this.keys.take(slot, fields, shape.queue);
  }

  #add(fields: EnqueueFields, shape: Shape, location: number, recordBytes: number): number {
    const slot = this.columns.allocate();
    this.#fill(slot, fields, shape, location, recordBytes);
    return slot;
  }

  #fill(slot: number, fields: EnqueueFields, shape: Shape, location: number, recordBytes: number): void {
    this.columns.fill(slot, fields, shape.index, location, recordBytes);
    this.shapes.addJob(shape);
    if (fields.expiresAtMs > 0) this.expiries.note(slot, fields.expiresAtMs);
    this.homes.add(location, recordBytes);
  }

  /** Applies MOVE to a job that is known: from now on its record is the one at this location. */
  relocate(slot: number, location: number, recordBytes: number): void {
    const { columns } = this;
    this.homes.remove(columns.enqueueLocation[slot]!, columns.enqueueBytes.at(slot));
    columns.enqueueLocation[slot] = location;
    columns.enqueueBytes.set(slot, recordBytes);
    columns.history[slot] = location;
    this.homes.add(location, recordBytes);
    if (columns.state[slot] === STATE.leased) this.leases.moved(columns.position[slot]!, location);
  }

  /** Applies MOVE to a job whose earlier records are gone. One that came to an end may be too old to be kept. */
  recreate(
    enqueued: EnqueueFields,
    shape: Shape,
    moved: MoveFields,
    location: number,
    recordBytes: number,
    { resultBytes = 0, error }: MovedEnd = {},
  ): void {
    const ring = shape.lane.queue.ringOf(moved.state);
    // Where nobody wrote when it died, it counts as having died now.
    const endedOrder = moved.endedOrder === 0 ? location : moved.endedOrder;
    this.tokens.raise(moved.token);
    if (ring?.isPast(endedOrder)) {
      if (moved.takesKey) this.keys.restoreFrom(enqueued, shape.queue, location, NONE);
      return;
    }
    const { columns } = this;
    const { id } = enqueued;
    this.nextId = Math.max(this.nextId, id + 1);
    const slot = this.#add(enqueued, shape, location, recordBytes);
    columns.restore(slot, moved, location);
    if (moved.takesKey) {
      if (moved.state === STATE.completed) this.keys.restoreFrom(enqueued, shape.queue, 0, slot);
      else this.keys.hold(slot, enqueued, shape.queue);
    }
    this.ranks.noteLead(moved.rankAtMs - moved.runAtMs);
    shape.lane.count(moved.state, 1);
    this.#insert(id, slot, moved.state);
    this.expiries.enter(slot);
    this.waiting.enter(slot, moved.state, shape.lane);
    if (moved.state === STATE.leased) {
      const { token, worker, leasedAtMs, leaseMs } = moved;
      columns.position[slot] = this.leases.open(slot, token, worker, leasedAtMs, leaseMs, Number.POSITIVE_INFINITY);
    }
    if (ring === undefined) return;
    const tag = moved.state === STATE.dead ? this.#death(slot, error) : moved.token;
    this.ended.keep(ring, slot, tag, endedOrder, resultBytes);
  }

  /** Applies FORGOTTEN. */
  forgotten(name: string, forgotten: Forgotten, place: RecordPlace): void {
    this.ended.forgotten(this.shapes.queueFor(name), forgotten, place);
  }

  /** Applies FORGOTTEN_DEAD. */
  forgottenDead(name: string, forgotten: ForgottenDead, place: RecordPlace): void {
    this.ended.forgottenDead(this.shapes.queueFor(name), forgotten, place);
  }

  /** A MOVE proves that a job which waited has become due. */
  proveDue(slot: number): void {
    this.#change(slot, EVENT.due, false);
  }

  /** Place of a job that came to an end in the order of the ends of its queue; 0 for others. */
  endedOrderOf(slot: number): number {
    const { state, position } = this.columns;
    return this.shapeOf(slot).lane.queue.ringOf(state[slot]!)?.orderAt(position[slot]!) ?? 0;
  }

  /** The job's ENQUEUE is durable: from now on it can be seen and claimed. */
  publish(slot: number): void {
    const { columns } = this;
    if (columns.state[slot] !== STATE.hidden) throw new RecordError('publishes a job twice');
    const shape = this.shapeOf(slot);
    shape.lane.queue.throughput.countEnqueued(columns.enqueuedAtMs[slot]!);
    this.#show(slot, shape);
  }

  #show(slot: number, { lane }: Shape): void {
    const { columns } = this;
    const state = columns.runAtMs[slot]! > columns.enqueuedAtMs[slot]! ? STATE.scheduled : STATE.ready;
    columns.state[slot] = state;
    lane.count(state, 1);
    this.#insert(columns.id[slot]!, slot, state);
    this.expiries.enter(slot);
    this.waiting.enter(slot, state, lane);
  }

  /** Makes jobs ready that are due, at most `limit`. @returns how many */
  due(nowMs: number, limit: number): number {
    const { columns } = this;
    const { scheduled } = this.waiting;
    scheduled.advance(nowMs, AHEAD_MOVES_MAX);
    let moved = 0;
    for (; moved < limit; moved++) {
      const slot = scheduled.firstDue(nowMs);
      if (slot === undefined) break;
      this.#change(slot, EVENT.due, false);
      columns.setUpdatedAtMs(slot, columns.runAtMs[slot]!);
    }
    return moved;
  }

  /** Takes the first ready job out of the order of its lane, so that the next one can be seen. `attempt` must follow at once. */
  take(lane: Lane): number {
    const slot = lane.ready.top;
    lane.removeReady(slot);
    this.columns.position[slot] = NONE;
    return slot;
  }

  /** Applies one item of ATTEMPT. On a job that is scheduled the record proves that it had become due. */
  attempt(slot: number, token: number, attempt: number, location: number, lease: LeaseStart): void {
    const { columns } = this;
    if (!this.tokens.isNew(token))
      throw new RecordError(`leases job ${columns.id[slot]} under a token that is not new`);
    if (attempt !== columns.attemptsOf(slot) + 1) {
      throw new RecordError(`counts attempt ${attempt} of job ${columns.id[slot]} after ${columns.attemptsOf(slot)}`);
    }
    if (columns.state[slot] === STATE.scheduled) this.#change(slot, EVENT.due, false);
    this.#change(slot, EVENT.claim, false);
    this.expiries.drop(slot);
    this.tokens.raise(token);
    columns.setAttempts(slot, attempt);
    columns.position[slot] = this.leases.open(slot, token, lease.worker, lease.atMs, lease.leaseMs, lease.deadlineMs);
    this.#note(slot, lease.atMs, location);
  }

  /** Applies one item of ACK. @returns the id of the job that had to be forgotten for it, or 0 */
  ack(slot: number, token: number, atMs: number, location: number, resultBytes = 0): number {
    this.#leaseEnds(slot, token, EVENT.ack, false);
    this.#note(slot, atMs, location);
    const { queue } = this.shapeOf(slot).lane;
    queue.throughput.countCompleted(atMs);
    this.keys.completed(slot, atMs);
    return this.ended.keep(queue.completed, slot, token, this.ends.next(location), resultBytes);
  }

  retry(slot: number, token: number, runAtMs: number, atMs: number, location: number): void {
    this.#leaseEnds(slot, token, EVENT.retry, false, runAtMs);
    this.shapeOf(slot).lane.queue.throughput.countFailed(atMs);
    this.#note(slot, atMs, location);
  }

  /** Without an error the job is in no group of deaths. */
  dead(slot: number, token: number, atMs: number, location: number, error?: JobError): void {
    this.#leaseEnds(slot, token, EVENT.die, false);
    this.keys.free(slot);
    const { queue } = this.shapeOf(slot).lane;
    queue.throughput.countFailed(atMs);
    this.#note(slot, atMs, location);
    this.ended.keep(queue.dead, slot, this.#death(slot, error), this.ends.next(location), 0);
  }

  /** Applies NOTE. The job is as it was, also for those who ask when it last changed. */
  note(slot: number, note: NoteFields, location: number): void {
    this.#requireLease(slot, note.token);
    this.leases.note(this.columns.position[slot]!, note, location);
    this.columns.history[slot] = location;
  }

  /** Applies WITHDRAW. */
  withdraw(slot: number, token: number, atMs: number, location: number): void {
    this.#requireLease(slot, token, EVENT.cancel);
    this.cancel(slot, atMs, location);
  }

  /** Applies RELEASE: with a `runAtMs` after `atMs` the job is scheduled, else ready at once. */
  release(slot: number, token: number, runAtMs: number, atMs: number, location: number): void {
    this.#leaseEnds(slot, token, EVENT.release, runAtMs > atMs, runAtMs);
    this.#note(slot, atMs, location);
  }

  /** Applies REDRIVE. The job ranks anew, so that many redriven ones do not hold up those that came meanwhile. */
  redrive(slot: number, atMs: number, location: number): void {
    const { columns } = this;
    this.#refuse(slot, EVENT.redrive);
    columns.setAttempts(slot, 0);
    columns.runAtMs[slot] = atMs;
    columns.rankAtMs[slot] = this.ranks.next(atMs);
    this.#change(slot, EVENT.redrive, false);
    this.#note(slot, atMs, location);
  }

  /** Applies one item of CANCEL. A live lease ends with it. */
  cancel(slot: number, atMs: number, location: number): void {
    this.#refuse(slot, EVENT.cancel);
    if (this.columns.state[slot] === STATE.leased) this.leases.close(this.columns.position[slot]!);
    this.#cancelled(slot, EVENT.cancel, atMs, location);
  }

  /** Applies one item of EXPIRE. */
  expire(slot: number, atMs: number, location: number): void {
    this.#refuse(slot, EVENT.expire);
    if (!this.expiries.has(slot))
      throw new RecordError(`expires job ${this.columns.id[slot]}, which may wait for ever`);
    this.#cancelled(slot, EVENT.expire, atMs, location);
  }

  /** Applies one item of RUN_NOW. A job that would have ranked later by its time ranks as enqueued now. */
  runNow(slot: number, atMs: number, location: number): void {
    const { columns } = this;
    this.#refuse(slot, EVENT.runNow);
    const rankAtMs = Math.min(columns.rankAtMs[slot]!, this.ranks.next(atMs));
    this.#change(slot, EVENT.runNow, false, () => {
      columns.runAtMs[slot] = atMs;
      columns.rankAtMs[slot] = rankAtMs;
    });
    this.#note(slot, atMs, location);
  }

  /** Applies one item of REPRIORITISE. */
  reprioritise(slot: number, priority: number, location: number): void {
    const { columns } = this;
    this.#refuse(slot, EVENT.reprioritise);
    columns.priority[slot] = priority;
    if (columns.state[slot] === STATE.ready) this.waiting.reorder(slot, this.shapeOf(slot).lane);
    columns.history[slot] = location;
  }

  /** Applies one item of TRANSFER. The job keeps its rank, and gives up its key: that is one of the queue that it leaves. */
  transfer(slot: number, from: string, to: string, location: number): void {
    const { columns, shapes } = this;
    this.#refuse(slot, EVENT.transfer);
    const former = this.shapeOf(slot);
    if (former.queue !== from) throw new RecordError(`takes job ${columns.id[slot]} from a queue that it is not in`);
    const state = columns.state[slot]!;
    this.keys.free(slot);
    this.#leave(slot, state, former.lane);
    former.lane.count(state, -1);
    const shape = shapes.intern({ ...former, queue: to });
    columns.shape[slot] = shape.index;
    shapes.addJob(shape);
    shapes.removeJob(former);
    shape.lane.count(state, 1);
    this.waiting.enter(slot, state, shape.lane);
    columns.history[slot] = location;
  }

  /** Applies one item of REMOVE. */
  remove(slot: number): void {
    const { columns } = this;
    this.#refuse(slot, EVENT.remove);
    const { lane } = this.shapeOf(slot);
    const state = columns.state[slot]!;
    this.keys.free(slot);
    this.#leave(slot, state, lane);
    this.#forget(slot);
  }

  /** Makes a live lease last until `deadlineMs`. No record: leases do not outlive the process. */
  extend(slot: number, leaseMs: number, deadlineMs: number): void {
    this.leases.extend(this.columns.position[slot]!, leaseMs, deadlineMs);
  }

  /** The token of the live lease, or of the ack that completed the job; 0 if there is neither. */
  tokenOf(slot: number): number {
    const { state, position } = this.columns;
    if (state[slot] === STATE.leased) return this.leases.token[position[slot]!]!;
    if (state[slot] === STATE.completed) return this.shapeOf(slot).lane.queue.completed.tokenAt(position[slot]!);
    return 0;
  }

  shapeOf(slot: number): Shape {
    return this.shapes.at(this.columns.shape[slot]!);
  }

  #leaseEnds(slot: number, token: number, event: number, delayed: boolean, runAtMs?: number): void {
    const { columns } = this;
    this.#requireLease(slot, token, event);
    this.leases.close(columns.position[slot]!);
    if (event === EVENT.release) columns.setAttempts(slot, columns.attemptsOf(slot) - 1);
    if (runAtMs !== undefined) columns.runAtMs[slot] = runAtMs;
    this.ranks.noteLead(columns.rankAtMs[slot]! - columns.runAtMs[slot]!);
    this.#change(slot, event, delayed);
  }

  #requireLease(slot: number, token: number, event?: number): void {
    const { columns } = this;
    if (event !== undefined) this.#refuse(slot, event);
    if (columns.state[slot] === STATE.leased && this.leases.token[columns.position[slot]!] === token) return;
    throw new RecordError(`speaks of a lease of job ${columns.id[slot]} under a token that is not its own`);
  }

  #refuse(slot: number, event: number): void {
    const state = this.columns.state[slot]!;
    if (!refuses(state, event)) return;
    const name = state < STATES ? stateName(state) : 'not stored';
    throw new RecordError(`wants to ${eventName(event)} job ${this.columns.id[slot]}, which is ${name}`);
  }

  /**
   * Leaves the present state, and its structure, for the one that LIFECYCLE says. `between` is where keys may change: the job stands in
   * no heap then.
   */
  #change(slot: number, event: number, delayed: boolean, between?: () => void): void {
    this.#refuse(slot, event);
    const { columns } = this;
    const { lane } = this.shapeOf(slot);
    const from = columns.state[slot]!;
    const to = delayed ? STATE.scheduled : nextState(from, event);
    this.#leave(slot, from, lane);
    between?.();
    columns.state[slot] = to;
    lane.count(from, -1);
    lane.count(to, 1);
    this.ids.move(columns.id[slot]!, from, to);
    this.waiting.enter(slot, to, lane);
  }

  #leave(slot: number, state: number, lane: Lane): void {
    this.waiting.leave(slot, state, lane);
    if (state < STATE.completed) return;
    const position = this.columns.position[slot]!;
    this.ended.leave(lane.queue.ringOf(state), position);
    if (state === STATE.dead) this.deaths.leave(lane.queue.dead.tokenAt(position));
  }

  #note(slot: number, atMs: number, location: number): void {
    this.columns.setUpdatedAtMs(slot, atMs);
    this.columns.history[slot] = location;
  }

  #cancelled(slot: number, event: number, atMs: number, location: number): void {
    this.#change(slot, event, false);
    this.expiries.drop(slot);
    this.keys.free(slot);
    this.#note(slot, atMs, location);
    this.ended.keep(this.shapeOf(slot).lane.queue.cancelled, slot, 0, this.ends.next(location), 0);
  }

  #death(slot: number, error: JobError | undefined): number {
    if (error === undefined) return 0;
    const { columns } = this;
    const { queue, name } = this.shapeOf(slot);
    return this.deaths.enter(queue, name, error, columns.id[slot]!, columns.updatedAtMs[slot]!);
  }

  #insert(id: number, slot: number, state: number): void {
    this.ids.insert(id, slot, state);
    this.shownBelowId = Math.max(this.shownBelowId, id + 1);
  }

  #forgetEnded(slot: number): number {
    const { state, position } = this.columns;
    if (state[slot] === STATE.dead) this.deaths.leave(this.shapeOf(slot).lane.queue.dead.tokenAt(position[slot]!));
    return this.#forget(slot);
  }

  #forget(slot: number): number {
    const { columns } = this;
    const id = columns.id[slot]!;
    const state = columns.state[slot]!;
    const shape = this.shapeOf(slot);
    this.expiries.drop(slot);
    this.keys.forgotten(slot, columns.enqueueLocation[slot]!);
    shape.lane.count(state, -1);
    this.shapes.removeJob(shape);
    this.ids.remove(id, state);
    this.homes.remove(columns.enqueueLocation[slot]!, columns.enqueueBytes.at(slot));
    columns.free(slot);
    return id;
  }
}

import { type Clock, RequestMismatchError } from '@holdfast/contract';
import type { LogRecord } from '../log/log-record.js';
import type { SegmentedLog } from '../log/segmented-log.js';
import { type EachAnswer, OUTCOME } from '../state/enqueue-answer.js';
import { NO_OPTIONS } from '../state/enqueue-options.js';
import { type EnqueueFields, encodeEnqueueHead, enqueueBodyBytes } from '../state/enqueue-record.js';
import { STATE } from '../state/job-state.js';
import type { JobTable } from '../state/job-table.js';
import type { Taken } from '../state/key-table.js';
import { RECORD } from '../state/record-kinds.js';
import { encodeRequests, type Request, requestBytesMax, requestsBodyBytes } from '../state/remembered-record.js';
import type { Shape } from '../state/shape-table.js';
import type { Call, Commits } from './commits.js';
import { EncodedPayloads } from './encoded-payloads.js';
import type { CheckedDedupe, Done, EngineJobs, EngineRequest, EnqueueAnswer } from './engine-calls.js';
import { countOf, encodingOf, expiresAtMsOf, hasNoOptions, optionsOf, runAtMsOf, shapeOf } from './engine-jobs.js';
import { AnsweredCall, EnqueueCall, RefusedEnqueue, WaitingEnqueue } from './enqueue-calls.js';
import type { Events } from './events.js';
import type { Metrics } from './metrics.js';
import type { Payloads } from './payloads.js';
import { RECORD_HEAD_BYTES } from './record-head.js';
import type { Shapes } from './shapes.js';
import { storeFullError } from './store-full.js';

export interface EnqueueParts {
  readonly table: JobTable;
  readonly commits: Commits;
  readonly events: Events;
  readonly payloads: Payloads;
  readonly shapes: Shapes;
  readonly metrics: Metrics;
  readonly clock: Clock;
  readonly log: SegmentedLog;
}

const NOT_SAID = new Uint8Array(0);
const FIRST_SLOTS = 1024;

/** Takes jobs in: their records go into the frame of the turn, and they come to light when it is durable. */
export class Enqueues {
  readonly #parts: EnqueueParts;
  #waiting: WaitingEnqueue[] = [];
  /** Slots of the hidden jobs, oldest first: a ring of a power of two. */
  #hidden = new Uint32Array(FIRST_SLOTS);
  #hiddenFrom = 0;
  #hiddenCount = 0;
  /** Of the jobs of the call that is taken in. */
  readonly #encoded = new EncodedPayloads();
  /** `undefined` where none of them has any. */
  #options: readonly Uint8Array[] | undefined;
  readonly #fields: EnqueueFields = {
    id: 0,
    enqueuedAtMs: 0,
    runAtMs: 0,
    priority: 0,
    payloadBytes: 0,
    expiresAtMs: 0,
    dedupe: undefined,
  };

  constructor(parts: EnqueueParts) {
    this.#parts = parts;
  }

  enqueue(jobs: EngineJobs, request: EngineRequest | undefined, done: Done<EnqueueAnswer>): void {
    if (this.#waiting.length > 0 || this.#parts.commits.crowded) {
      this.#waiting.push(new WaitingEnqueue(jobs, request, done));
    } else {
      this.#accept(jobs, request, done);
    }
  }

  get hasWaiting(): boolean {
    return this.#waiting.length > 0;
  }

  /** Takes in what had to wait, in order, as far as there is room now. */
  admitWaiting(): void {
    let admitted = 0;
    while (admitted < this.#waiting.length && !this.#parts.commits.crowded) {
      const { jobs, request, done } = this.#waiting[admitted++]!;
      this.#accept(jobs, request, done);
    }
    if (admitted > 0) this.#waiting = this.#waiting.slice(admitted);
  }

  takeWaiting(): Call[] {
    const waiting = this.#waiting;
    this.#waiting = [];
    return waiting;
  }

  /** The oldest `count` hidden jobs are durable. */
  publish(count: number, startedMs: number): void {
    const { table, events, metrics, clock } = this.#parts;
    metrics.took('append', clock.now(), clock.monotonicMs() - startedMs);
    const mask = this.#hidden.length - 1;
    for (let index = 0; index < count; index++) {
      const slot = this.#hidden[this.#hiddenFrom]!;
      table.publish(slot);
      if (events.isOn) events.enqueued(slot);
      this.#hiddenFrom = (this.#hiddenFrom + 1) & mask;
    }
    this.#hiddenCount -= count;
    this.#parts.metrics.totals.enqueued += count;
  }

  #accept(jobs: EngineJobs, request: EngineRequest | undefined, done: Done<EnqueueAnswer>): void {
    const { commits, payloads, table, clock, log } = this.#parts;
    const nowMs = clock.now();
    if (request !== undefined && this.#isRepeated(request, nowMs, done)) return;
    const bytes = this.#measure(jobs, nowMs) + (request === undefined ? 0 : requestBytesMax(countOf(jobs)));
    if (!log.space.admits(bytes)) {
      commits.answerWritten(new RefusedEnqueue(storeFullError(log), done));
      return;
    }
    commits.room(bytes);
    payloads.take(this.#encoded);
    if (jobs.dedupes !== undefined) {
      this.#acceptEach(jobs, request, nowMs, bytes, done);
      return;
    }
    const firstId = table.nextId;
    const count = countOf(jobs);
    const scheduled = new Uint8Array(count);
    for (let index = 0; index < count; index++) {
      if (this.#append(jobs, index, nowMs)) scheduled[index] = 1;
    }
    const answer = { firstId, scheduled };
    if (request !== undefined) this.#remember(request, nowMs, answer);
    commits.answerDurable(new EnqueueCall(this, clock.monotonicMs(), answer, count, bytes, done));
  }

  /** As the rest of `#accept`, for a call with jobs that have keys. */
  #acceptEach(
    jobs: EngineJobs,
    request: EngineRequest | undefined,
    nowMs: number,
    bytes: number,
    done: Done<EnqueueAnswer>,
  ): void {
    const { commits, table, clock } = this.#parts;
    const firstId = table.nextId;
    const length = countOf(jobs);
    const each = { ids: new Float64Array(length), states: new Uint8Array(length), outcomes: new Uint8Array(length) };
    for (let index = 0; index < length; index++) this.#takeIn(jobs, index, nowMs, each);
    const created = table.nextId - firstId;
    const answer: EnqueueAnswer =
      created === length
        ? { firstId, scheduled: each.states.map((state) => (state === STATE.scheduled ? 1 : 0)) }
        : { firstId: 0, scheduled: NOT_SAID, each };
    if (request !== undefined) this.#remember(request, nowMs, answer);
    commits.answerAllDurable(new EnqueueCall(this, clock.monotonicMs(), answer, created, bytes, done));
  }

  #takeIn(jobs: EngineJobs, index: number, nowMs: number, { ids, states, outcomes }: EachAnswer): void {
    const { table } = this.#parts;
    const dedupe = jobs.dedupes?.[index];
    const { queue } = shapeOf(jobs, index);
    const isOver = (slot: number) => table.expiries.isOver(slot, nowMs);
    const taken = dedupe === undefined ? undefined : table.keys.taken(queue, dedupe.key, nowMs, isOver);
    const outcome = outcomeOf(dedupe, taken?.state);
    outcomes[index] = outcome;
    ids[index] = taken === undefined || outcome === OUTCOME.created ? table.nextId : taken.id;
    if (taken === undefined || outcome === OUTCOME.created) {
      states[index] = this.#append(jobs, index, nowMs) ? STATE.scheduled : STATE.ready;
    } else if (outcome === OUTCOME.replaced) {
      states[index] = this.#replace(taken, jobs, index, nowMs) ? STATE.scheduled : STATE.ready;
    } else {
      states[index] = this.#stateOf(taken, nowMs);
    }
  }

  /** As a caller sees it: one that is not durable yet is as it will be. */
  #stateOf({ slot, state }: Taken, nowMs: number): number {
    const { runAtMs, enqueuedAtMs } = this.#parts.table.columns;
    if (state === STATE.hidden) return runAtMs[slot]! > enqueuedAtMs[slot]! ? STATE.scheduled : STATE.ready;
    return state === STATE.scheduled && runAtMs[slot]! <= nowMs ? STATE.ready : state;
  }

  /** Answers a request that was made before. */
  #isRepeated({ id, fingerprint }: EngineRequest, nowMs: number, done: Done<EnqueueAnswer>): boolean {
    const { commits, table } = this.#parts;
    const known = table.requests.find(id, nowMs);
    if (known === undefined) return false;
    if (known.fingerprint === fingerprint) {
      commits.answerAllDurable(new AnsweredCall(known.answer, done));
    } else {
      const mismatch = new RequestMismatchError(id);
      commits.answerWritten({ finish: (error) => done(error ?? mismatch, undefined) });
    }
    return true;
  }

  /** In the frame of the jobs: both are there after a crash, or neither. */
  #remember({ id, fingerprint }: EngineRequest, atMs: number, answer: EnqueueAnswer): void {
    const { commits, table } = this.#parts;
    const request: Request = { id, fingerprint, atMs, order: 0, answer };
    const record = commits.reserve(RECORD.remembered, requestsBodyBytes([request]));
    encodeRequests(record, [request]);
    table.requests.remember({ ...request, order: record.location }, record.location);
  }

  /** Encodes payloads and options. @returns bytes of all records */
  #measure(jobs: EngineJobs, nowMs: number): number {
    const { shapes } = this.#parts;
    const count = countOf(jobs);
    this.#encoded.encode(jobs.payloads);
    this.#options = hasNoOptions(jobs)
      ? undefined
      : Array.from({ length: count }, (_, at) => optionsOf(jobs, at, nowMs));
    let sum = count * RECORD_HEAD_BYTES + this.#encoded.starts[count]!;
    for (let index = 0; index < count; index++) {
      sum += enqueueBodyBytes(shapes.intern(shapeOf(jobs, index)).template, 0, this.#options?.[index]);
    }
    return sum;
  }

  /** @returns whether the job waits for its time */
  #append(jobs: EngineJobs, index: number, nowMs: number): boolean {
    const { table, payloads, shapes } = this.#parts;
    const fields = this.#fieldsOf(jobs, index, nowMs, table.nextId);
    const shape = shapes.intern(shapeOf(jobs, index));
    const { location, recordBytes } = this.#write(RECORD.enqueue, fields, shape, jobs, index);
    this.#hide(table.enqueue(fields, shape, location, recordBytes));
    payloads.put(fields.id, index, encodingOf(jobs, index), jobs.extras?.[index]);
    return fields.runAtMs > nowMs;
  }

  /** The job of this slot becomes another one. @returns whether it waits for its time */
  #replace({ slot, id }: Taken, jobs: EngineJobs, index: number, nowMs: number): boolean {
    const { table, payloads, shapes } = this.#parts;
    const fields = this.#fieldsOf(jobs, index, nowMs, id);
    const shape = shapes.intern(shapeOf(jobs, index));
    const { location, recordBytes } = this.#write(RECORD.replace, fields, shape, jobs, index);
    table.replace(slot, fields, shape, location, recordBytes);
    payloads.forget(id);
    return fields.runAtMs > nowMs;
  }

  #fieldsOf(jobs: EngineJobs, index: number, nowMs: number, id: number): EnqueueFields {
    const fields = this.#fields;
    fields.id = id;
    fields.enqueuedAtMs = nowMs;
    fields.runAtMs = runAtMsOf(jobs, index, nowMs);
    fields.priority = shapeOf(jobs, index).priority;
    fields.payloadBytes = this.#encoded.bytesOf(index);
    fields.expiresAtMs = expiresAtMsOf(jobs, index, nowMs);
    fields.dedupe = jobs.dedupes?.[index];
    return fields;
  }

  #write(kind: number, fields: EnqueueFields, { template }: Shape, jobs: EngineJobs, index: number): LogRecord {
    const options = this.#options?.[index] ?? NO_OPTIONS;
    const record = this.#parts.commits.reserve(kind, enqueueBodyBytes(template, fields.payloadBytes, options));
    const payloadAt = encodeEnqueueHead(record, fields, template, options, encodingOf(jobs, index));
    this.#encoded.copy(index, record, payloadAt);
    return record;
  }

  #hide(slot: number): void {
    if (this.#hiddenCount === this.#hidden.length) this.#widen();
    this.#hidden[(this.#hiddenFrom + this.#hiddenCount++) & (this.#hidden.length - 1)] = slot;
  }

  #widen(): void {
    const slots = new Uint32Array(this.#hidden.length * 2);
    slots.set(this.#hidden.subarray(this.#hiddenFrom));
    slots.set(this.#hidden.subarray(0, this.#hiddenFrom), this.#hidden.length - this.#hiddenFrom);
    this.#hidden = slots;
    this.#hiddenFrom = 0;
  }
}

/** @param state of the job that takes the key, if one does */
function outcomeOf(dedupe: CheckedDedupe | undefined, state: number | undefined): number {
  if (dedupe === undefined || state === undefined) return OUTCOME.created;
  if (dedupe.onConflict === 'runOnceMore' && state === STATE.leased) return OUTCOME.created;
  const waits = state === STATE.scheduled || state === STATE.ready || state === STATE.hidden;
  return dedupe.onConflict === 'replace' && waits ? OUTCOME.replaced : OUTCOME.duplicate;
}

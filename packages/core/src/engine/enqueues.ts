import { type Clock, type HoldfastError, type Payload, RequestMismatchError } from '@holdfast/contract';
import type { SegmentedLog } from '../log/segmented-log.js';
import { encodeExpiry, encodeExtras, joined, NO_OPTIONS } from '../state/enqueue-options.js';
import { type EnqueueFields, encodeEnqueue, enqueueBodyBytes, payloadLength } from '../state/enqueue-record.js';
import type { JobTable } from '../state/job-table.js';
import { RECORD } from '../state/record-kinds.js';
import { encodeRequests, type Request, requestsBodyBytes } from '../state/remembered-record.js';
import type { Call, Commits, DurableCall } from './commits.js';
import type { Done, EngineJob, EngineRequest, EnqueueAnswer } from './engine-calls.js';
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

/** One enqueue whose records are on their way to the disk. */
class EnqueueCall implements DurableCall {
  seq = 0;
  readonly bytes: number;
  readonly #owner: Enqueues;
  readonly #startedMs: number;
  readonly #answer: EnqueueAnswer;
  readonly #done: Done<EnqueueAnswer>;

  constructor(owner: Enqueues, startedMs: number, answer: EnqueueAnswer, bytes: number, done: Done<EnqueueAnswer>) {
    this.#owner = owner;
    this.#startedMs = startedMs;
    this.#answer = answer;
    this.bytes = bytes;
    this.#done = done;
  }

  durable(): void {
    this.#owner.publish(this.#answer.scheduled.length, this.#startedMs);
  }

  finish(error: HoldfastError | undefined): void {
    this.#done(error, error === undefined ? this.#answer : undefined);
  }
}

/** A repeated enqueue, whose answer is given again when what it says is durable. */
class RepeatedCall implements DurableCall {
  seq = 0;
  readonly bytes = 0;
  readonly #answer: EnqueueAnswer;
  readonly #done: Done<EnqueueAnswer>;

  constructor(answer: EnqueueAnswer, done: Done<EnqueueAnswer>) {
    this.#answer = answer;
    this.#done = done;
  }

  durable(): void {}

  finish(error: HoldfastError | undefined): void {
    this.#done(error, error === undefined ? this.#answer : undefined);
  }
}

/** One enqueue for which the disk has no room. Nothing of it was applied. */
class RefusedEnqueue implements Call {
  readonly #refusal: HoldfastError;
  readonly #done: Done<EnqueueAnswer>;

  constructor(refusal: HoldfastError, done: Done<EnqueueAnswer>) {
    this.#refusal = refusal;
    this.#done = done;
  }

  finish(): void {
    this.#done(this.#refusal, undefined);
  }
}

/** One enqueue that waits until fewer bytes are before the disk. Nothing of it was applied. */
class WaitingEnqueue implements Call {
  readonly jobs: readonly EngineJob[];
  readonly request: EngineRequest | undefined;
  readonly done: Done<EnqueueAnswer>;

  constructor(jobs: readonly EngineJob[], request: EngineRequest | undefined, done: Done<EnqueueAnswer>) {
    this.jobs = jobs;
    this.request = request;
    this.done = done;
  }

  finish(error: HoldfastError | undefined): void {
    this.done(error, undefined);
  }
}

const ONE_READY = new Uint8Array([0]);
const ONE_SCHEDULED = new Uint8Array([1]);
const FIRST_SLOTS = 1024;
/** Of the record of a request, without an entry for each job. */
const REQUEST_BYTES_MAX = 512;

/** Takes jobs in: their records go into the frame of the turn, and they come to light when it is durable. */
export class Enqueues {
  readonly #parts: EnqueueParts;
  #waiting: WaitingEnqueue[] = [];
  /** Slots of the hidden jobs, oldest first: a ring of a power of two. */
  #hidden = new Uint32Array(FIRST_SLOTS);
  #hiddenFrom = 0;
  #hiddenCount = 0;
  /** Of the jobs of the call that is taken in. */
  #payloadBytes = new Uint32Array(FIRST_SLOTS);
  readonly #options: Uint8Array[] = [];
  readonly #fields: EnqueueFields = {
    id: 0,
    enqueuedAtMs: 0,
    runAtMs: 0,
    priority: 0,
    payloadBytes: 0,
    expiresAtMs: 0,
  };

  constructor(parts: EnqueueParts) {
    this.#parts = parts;
  }

  enqueue(jobs: readonly EngineJob[], request: EngineRequest | undefined, done: Done<EnqueueAnswer>): void {
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

  #accept(jobs: readonly EngineJob[], request: EngineRequest | undefined, done: Done<EnqueueAnswer>): void {
    const { commits, table, clock, log } = this.#parts;
    const nowMs = clock.now();
    if (request !== undefined && this.#isRepeated(request, nowMs, done)) return;
    const bytes = this.#measure(jobs, nowMs) + (request === undefined ? 0 : REQUEST_BYTES_MAX + jobs.length);
    if (!log.space.admits(bytes)) {
      commits.answerWritten(new RefusedEnqueue(storeFullError(log), done));
      return;
    }
    commits.room(bytes);
    const firstId = table.nextId;
    const first = jobs[0];
    let scheduled: Uint8Array;
    if (jobs.length === 1 && first !== undefined) {
      scheduled = this.#append(first, 0, nowMs) ? ONE_SCHEDULED : ONE_READY;
    } else {
      scheduled = new Uint8Array(jobs.length);
      for (let index = 0; index < jobs.length; index++) {
        if (this.#append(jobs[index]!, index, nowMs)) scheduled[index] = 1;
      }
    }
    const answer = { firstId, scheduled };
    if (request !== undefined) this.#remember(request, nowMs, answer);
    commits.answerDurable(new EnqueueCall(this, clock.monotonicMs(), answer, bytes, done));
  }

  /** Answers a request that was made before. */
  #isRepeated({ id, fingerprint }: EngineRequest, nowMs: number, done: Done<EnqueueAnswer>): boolean {
    const { commits, table } = this.#parts;
    const known = table.requests.find(id, nowMs);
    if (known === undefined) return false;
    if (known.fingerprint === fingerprint) {
      commits.answerAllDurable(new RepeatedCall(known.answer, done));
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

  /** Notes the length of each payload. @returns bytes of all records */
  #measure(jobs: readonly EngineJob[], nowMs: number): number {
    if (jobs.length > this.#payloadBytes.length) this.#payloadBytes = new Uint32Array(jobs.length);
    let sum = 0;
    for (let index = 0; index < jobs.length; index++) {
      const job = jobs[index]!;
      const bytes = payloadLength(job.payload);
      const options = optionsOf(job, nowMs);
      this.#payloadBytes[index] = bytes;
      this.#options[index] = options;
      sum += RECORD_HEAD_BYTES + enqueueBodyBytes(this.#parts.shapes.intern(job.shape).template, bytes, options);
    }
    return sum;
  }

  /** @returns whether the job waits for its time */
  #append(job: EngineJob, index: number, nowMs: number): boolean {
    const { table, commits, shapes } = this.#parts;
    const fields = this.#fields;
    const payload: Payload = job.payload;
    const shape = shapes.intern(job.shape);
    fields.id = table.nextId;
    fields.enqueuedAtMs = nowMs;
    fields.runAtMs = runAtMs(job, nowMs);
    fields.priority = job.shape.priority;
    fields.payloadBytes = this.#payloadBytes[index]!;
    fields.expiresAtMs = expiresAtMs(job, nowMs);
    const options = this.#options[index]!;
    const record = commits.reserve(RECORD.enqueue, enqueueBodyBytes(shape.template, fields.payloadBytes, options));
    encodeEnqueue(record, fields, shape.template, payload, options);
    this.#hide(table.enqueue(fields, shape, record.location, record.recordBytes));
    this.#parts.payloads.put(fields.id, payload, fields.payloadBytes, job.extras);
    return fields.runAtMs > nowMs;
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

function expiresAtMs(job: EngineJob, nowMs: number): number {
  return job.expiresInMs === undefined ? 0 : nowMs + Math.ceil(job.expiresInMs);
}

function optionsOf(job: EngineJob, nowMs: number): Uint8Array {
  const { expiresInMs, extras, cloneOrigin } = job;
  if (expiresInMs === undefined && extras === undefined && cloneOrigin === undefined) return NO_OPTIONS;
  return joined([
    ...(expiresInMs === undefined ? [] : [encodeExpiry(expiresAtMs(job, nowMs))]),
    ...(extras === undefined ? [] : [encodeExtras(extras)]),
    ...(cloneOrigin === undefined ? [] : [cloneOrigin]),
  ]);
}

/** A time that has passed means at once: a job cannot have waited before it was enqueued. */
function runAtMs(job: EngineJob, nowMs: number): number {
  if (job.runAtMs !== undefined) return Math.max(Math.ceil(job.runAtMs), nowMs);
  return nowMs + Math.ceil(job.delayMs ?? 0);
}

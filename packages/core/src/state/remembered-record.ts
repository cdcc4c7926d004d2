import { answeredJobs, type EachAnswer, type EnqueueAnswer, OUTCOMES } from './enqueue-answer.js';
import { STATES } from './job-state.js';
import type { Window } from './key-table.js';
import { BodyReader, BodyWriter, type RecordBody, RecordError } from './record-body.js';

/*
 * REMEMBERED  what u8 (1 requests, 2 keys) · count u32 · count × …
 *   a request: order u64 (0: the location of this record) · atMs u64 · fingerprint 16 bytes · requestId str8 · form u8 · jobs u32 · firstId u64
 *     form 0: all are ready · form 1: jobs × scheduled u8 · form 2: jobs × (id u64 · state u8 · outcome u8)
 *   a key: untilMs u64 · id u64 · queue str8 · key str8
 */
const WHAT = { requests: 1, keys: 2 } as const;
const FORM = { allReady: 0, someScheduled: 1, each: 2 } as const;
const HEAD_BYTES = 1 + 4;
const FINGERPRINT_BYTES = 16;
const REQUEST_BYTES = 8 + 8 + FINGERPRINT_BYTES + 1 + 1 + 4 + 8;
const EACH_BYTES = 8 + 1 + 1;
const KEY_BYTES = 8 + 8 + 1 + 1;
/** A number that is written nowhere else must not make memory grow. */
const JOBS_MAX = 1_000_000;

/** An enqueue under a request id, and what it was answered. */
export interface Request {
  readonly id: string;
  /** Of its jobs, in hexadecimal digits. */
  readonly fingerprint: string;
  readonly atMs: number;
  /** Greater than those of all requests before. */
  readonly order: number;
  readonly answer: EnqueueAnswer;
}

export interface Remembered {
  readonly requests: readonly Request[];
  readonly windows: readonly Window[];
}

/** What the record of one request has at most. */
export function requestBytesMax(jobs: number): number {
  return HEAD_BYTES + REQUEST_BYTES + 255 + jobs * EACH_BYTES;
}

export function requestsBodyBytes(requests: readonly Request[]): number {
  let bytes = HEAD_BYTES;
  for (const request of requests) bytes += requestBytes(request);
  return bytes;
}

/** What one of them takes in its record. */
export function requestBytes({ id, answer }: Request): number {
  return REQUEST_BYTES + Buffer.byteLength(id) + answerBytes(answer);
}

export function encodeRequests(body: RecordBody, requests: readonly Request[]): void {
  const writer = new BodyWriter(body).u8(WHAT.requests).u32(requests.length);
  for (const { id, fingerprint, atMs, order, answer } of requests) {
    writer.u64(order).u64(atMs).bytes(Buffer.from(fingerprint, 'hex')).str8(Buffer.from(id));
    writer.u8(formOf(answer)).u32(answeredJobs(answer)).u64(answer.firstId);
    writeAnswer(writer, answer);
  }
}

export function windowsBodyBytes(windows: readonly Window[]): number {
  let bytes = HEAD_BYTES;
  for (const window of windows) bytes += windowBytes(window);
  return bytes;
}

/** What one of them takes in its record. */
export function windowBytes({ queue, key }: Window): number {
  return KEY_BYTES + Buffer.byteLength(queue) + Buffer.byteLength(key);
}

export function encodeWindows(body: RecordBody, windows: readonly Window[]): void {
  const writer = new BodyWriter(body).u8(WHAT.keys).u32(windows.length);
  for (const { queue, key, id, untilMs } of windows) {
    writer.u64(untilMs).u64(id).str8(Buffer.from(queue)).str8(Buffer.from(key));
  }
}

/** @throws RecordError */
export function decodeRemembered(body: RecordBody, location: number): Remembered {
  const reader = new BodyReader(body);
  const what = reader.u8();
  const requests: Request[] = [];
  const windows: Window[] = [];
  for (let left = reader.u32(); left > 0; left--) {
    if (what === WHAT.requests) requests.push(readRequest(reader, location));
    else if (what === WHAT.keys) windows.push(readWindow(reader));
    else throw new RecordError(`remembers something (${what}) that this version does not know`);
  }
  reader.end();
  return { requests, windows };
}

function readRequest(reader: BodyReader, location: number): Request {
  const order = reader.u64() || location;
  const atMs = reader.u64();
  const fingerprint = Buffer.from(reader.bytes(FINGERPRINT_BYTES)).toString('hex');
  const id = reader.str8();
  return { id, fingerprint, atMs, order, answer: readAnswer(reader) };
}

function readWindow(reader: BodyReader): Window {
  return { untilMs: reader.u64(), id: reader.u64(), queue: reader.str8(), key: reader.str8() };
}

function formOf({ scheduled, each }: EnqueueAnswer): number {
  if (each !== undefined) return FORM.each;
  return scheduled.includes(1) ? FORM.someScheduled : FORM.allReady;
}

function answerBytes(answer: EnqueueAnswer): number {
  const form = formOf(answer);
  if (form === FORM.allReady) return 0;
  return answeredJobs(answer) * (form === FORM.each ? EACH_BYTES : 1);
}

function writeAnswer(writer: BodyWriter, answer: EnqueueAnswer): void {
  const { each, scheduled } = answer;
  if (formOf(answer) === FORM.someScheduled) writer.bytes(scheduled);
  if (each === undefined) return;
  for (let index = 0; index < each.ids.length; index++) {
    writer.u64(each.ids[index]!).u8(each.states[index]!).u8(each.outcomes[index]!);
  }
}

function readAnswer(reader: BodyReader): EnqueueAnswer {
  const form = reader.u8();
  const jobs = reader.u32();
  const firstId = reader.u64();
  if (jobs > JOBS_MAX) throw new RecordError(`speaks of ${jobs} jobs in one call`);
  if (form === FORM.allReady) return { firstId, scheduled: new Uint8Array(jobs) };
  if (form === FORM.someScheduled) return { firstId, scheduled: reader.bytes(jobs) };
  if (form === FORM.each) return { firstId, scheduled: new Uint8Array(0), each: readEach(reader, jobs) };
  throw new RecordError(`has an answer of the unknown form ${form}`);
}

function readEach(reader: BodyReader, jobs: number): EachAnswer {
  const each = { ids: new Float64Array(jobs), states: new Uint8Array(jobs), outcomes: new Uint8Array(jobs) };
  for (let index = 0; index < jobs; index++) {
    each.ids[index] = reader.u64();
    each.states[index] = reader.u8();
    each.outcomes[index] = reader.u8();
    if (each.states[index]! >= STATES || each.outcomes[index]! >= OUTCOMES.length) {
      throw new RecordError('has an answer that makes no sense');
    }
  }
  return each;
}

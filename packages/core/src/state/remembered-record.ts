import type { EnqueueAnswer } from './enqueue-answer.js';
import { BodyReader, BodyWriter, type RecordBody, RecordError } from './record-body.js';

/*
 * REMEMBERED  what u8 (1 requests) · count u32 · count × …
 *   a request: order u64 (0: the location of this record) · atMs u64 · fingerprint 16 bytes · requestId str8 · form u8 · jobs u32 · firstId u64
 *     form 0: all are ready · form 1: jobs × scheduled u8
 */
const WHAT = { requests: 1 } as const;
const FORM = { allReady: 0, someScheduled: 1 } as const;
const HEAD_BYTES = 1 + 4;
const FINGERPRINT_BYTES = 16;
const REQUEST_BYTES = 8 + 8 + FINGERPRINT_BYTES + 1 + 1 + 4 + 8;

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

export function requestsBodyBytes(requests: readonly Request[]): number {
  let bytes = HEAD_BYTES;
  for (const { id, answer } of requests) {
    const { scheduled } = answer;
    bytes += REQUEST_BYTES + Buffer.byteLength(id) + (scheduled.includes(1) ? scheduled.length : 0);
  }
  return bytes;
}

export function encodeRequests(body: RecordBody, requests: readonly Request[]): void {
  const writer = new BodyWriter(body).u8(WHAT.requests).u32(requests.length);
  for (const { id, fingerprint, atMs, order, answer } of requests) {
    const { firstId, scheduled } = answer;
    writer.u64(order).u64(atMs).bytes(Buffer.from(fingerprint, 'hex')).str8(Buffer.from(id));
    const isPlain = !scheduled.includes(1);
    writer
      .u8(isPlain ? FORM.allReady : FORM.someScheduled)
      .u32(scheduled.length)
      .u64(firstId);
    if (!isPlain) writer.bytes(scheduled);
  }
}

/** @throws RecordError */
export function decodeRequests(body: RecordBody, location: number): Request[] {
  const reader = new BodyReader(body);
  const what = reader.u8();
  if (what !== WHAT.requests) throw new RecordError(`remembers something (${what}) that this version does not know`);
  const requests: Request[] = [];
  for (let left = reader.u32(); left > 0; left--) {
    const order = reader.u64() || location;
    const atMs = reader.u64();
    const fingerprint = Buffer.from(reader.bytes(FINGERPRINT_BYTES)).toString('hex');
    const id = reader.str8();
    requests.push({ id, fingerprint, atMs, order, answer: readAnswer(reader) });
  }
  reader.end();
  return requests;
}

function readAnswer(reader: BodyReader): EnqueueAnswer {
  const form = reader.u8();
  const jobs = reader.u32();
  const firstId = reader.u64();
  if (form === FORM.allReady) return { firstId, scheduled: new Uint8Array(checkedJobs(jobs)) };
  if (form === FORM.someScheduled) return { firstId, scheduled: reader.bytes(jobs) };
  throw new RecordError(`has an answer of the unknown form ${form}`);
}

/** A number that is written nowhere else must not make memory grow. */
function checkedJobs(jobs: number): number {
  if (jobs > 1_000_000) throw new RecordError(`speaks of ${jobs} jobs in one call`);
  return jobs;
}

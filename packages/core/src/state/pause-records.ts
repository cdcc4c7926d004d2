import type { ActBytes } from './act-records.js';
import { BodyReader, BodyWriter, type RecordBody } from './record-body.js';

/*
 * PAUSE   atMs u64 · sinceMs u64 · untilMs u64 (0: until a RESUME) · queue str8 · actor str8 · reason str16
 * RESUME  atMs u64 · queue str8 · actor str8 · reason str16
 */

/** That a queue is paused, as PAUSE says it. Times are wall-clock. */
export interface Pause {
  readonly sinceMs: number;
  /** 0: until a RESUME. */
  readonly untilMs: number;
  readonly actor: string;
  readonly reason: string;
  /** Of the record, and how long that is. */
  readonly location: number;
  readonly recordBytes: number;
}

export interface PauseFields {
  readonly atMs: number;
  readonly sinceMs: number;
  readonly untilMs: number;
}

export function pauseBodyBytes(queue: Uint8Array, act: ActBytes): number {
  return 8 + 8 + resumeBodyBytes(queue, act);
}

export function resumeBodyBytes(queue: Uint8Array, act: ActBytes): number {
  return 8 + 1 + queue.length + 1 + act.actor.length + 2 + act.reason.length;
}

export function encodePause(body: RecordBody, fields: PauseFields, queue: Uint8Array, act: ActBytes): void {
  const writer = new BodyWriter(body).u64(fields.atMs).u64(fields.sinceMs).u64(fields.untilMs);
  writer.str8(queue).str8(act.actor).str16(act.reason);
}

export function encodeResume(body: RecordBody, atMs: number, queue: Uint8Array, act: ActBytes): void {
  new BodyWriter(body).u64(atMs).str8(queue).str8(act.actor).str16(act.reason);
}

/** @throws RecordError */
export function decodePause(body: RecordBody) {
  const reader = new BodyReader(body);
  const times = { atMs: reader.u64(), sinceMs: reader.u64(), untilMs: reader.u64() };
  const fields = { ...times, queue: reader.str8(), actor: reader.str8(), reason: reader.str16() };
  reader.end();
  return fields;
}

/** @throws RecordError */
export function decodeResume(body: RecordBody) {
  const reader = new BodyReader(body);
  const fields = { atMs: reader.u64(), queue: reader.str8(), actor: reader.str8(), reason: reader.str16() };
  reader.end();
  return fields;
}

import { BodyReader, BodyWriter, type RecordBody } from './record-body.js';

/*
 * FORGOTTEN       completedBelow u64 · cancelledBelow u64 · queue str8
 * FORGOTTEN_DEAD  deadBelow u64 · queue str8
 */

/** Jobs of a queue that ended before these places are forgotten. */
export interface Forgotten {
  readonly completedBelow: number;
  readonly cancelledBelow: number;
}

/** Jobs of a queue that died before this place are forgotten. */
export interface ForgottenDead {
  readonly deadBelow: number;
}

/** Where a record lies, and how long it is. */
export interface RecordPlace {
  readonly location: number;
  readonly recordBytes: number;
}

export function forgottenBodyBytes(queue: Uint8Array): number {
  return 8 + 8 + 1 + queue.length;
}

export function encodeForgotten(
  body: RecordBody,
  { completedBelow, cancelledBelow }: Forgotten,
  queue: Uint8Array,
): void {
  new BodyWriter(body).u64(completedBelow).u64(cancelledBelow).str8(queue);
}

/** @throws RecordError */
export function decodeForgotten(body: RecordBody): Forgotten & { readonly queue: string } {
  const reader = new BodyReader(body);
  const fields = { completedBelow: reader.u64(), cancelledBelow: reader.u64(), queue: reader.str8() };
  reader.end();
  return fields;
}

export function forgottenDeadBodyBytes(queue: Uint8Array): number {
  return 8 + 1 + queue.length;
}

export function encodeForgottenDead(body: RecordBody, { deadBelow }: ForgottenDead, queue: Uint8Array): void {
  new BodyWriter(body).u64(deadBelow).str8(queue);
}

/** @throws RecordError */
export function decodeForgottenDead(body: RecordBody): ForgottenDead & { readonly queue: string } {
  const reader = new BodyReader(body);
  const fields = { deadBelow: reader.u64(), queue: reader.str8() };
  reader.end();
  return fields;
}

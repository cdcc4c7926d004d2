import { BodyReader, BodyWriter, type RecordBody } from './record-body.js';

/*
 * FORGOTTEN  completedBelow u64 · cancelledBelow u64 · queue str8
 */

/** Jobs of a queue that ended before these places are forgotten. */
export interface Forgotten {
  readonly completedBelow: number;
  readonly cancelledBelow: number;
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

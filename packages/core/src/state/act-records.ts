import { cutBytes } from '@holdfast/contract/rules';
import { BodyReader, BodyWriter, type RecordBody, RecordError } from './record-body.js';

/*
 * CANCEL, RUN_NOW  atMs u64 · actor str8 · reason str16 · count u32 · count × (id u64 · previous u64)
 * REPRIORITISE     atMs u64 · priority u32 · actor str8 · reason str16 · count u32 · count × (id u64 · previous u64)
 * TRANSFER         atMs u64 · from str8 · to str8 · actor str8 · reason str16 · count u32 · count × (id u64 · previous u64)
 * REMOVE           atMs u64 · actor str8 · reason str16 · count u32 · count × (id u64)
 * EXPIRE           atMs u64 · count u32 · count × (id u64 · previous u64)
 *
 * One layout with parts that a kind has or has not: see ActParts.
 */
const ACTOR_BYTES_MAX = 255;
const REASON_BYTES_MAX = 8 * 1024;
const ID_BYTES = 8;

/** Which of the optional fields a kind of record has. */
export interface ActParts {
  readonly priority: boolean;
  /** From which queue to which. */
  readonly queues: boolean;
  /** Actor and reason. */
  readonly actor: boolean;
  readonly previous: boolean;
}

export const ACT_PARTS = {
  cancel: { priority: false, queues: false, actor: true, previous: true },
  runNow: { priority: false, queues: false, actor: true, previous: true },
  reprioritise: { priority: true, queues: false, actor: true, previous: true },
  transfer: { priority: false, queues: true, actor: true, previous: true },
  remove: { priority: false, queues: false, actor: true, previous: false },
  expire: { priority: false, queues: false, actor: false, previous: true },
} as const satisfies Record<string, ActParts>;

/** Who acted and why, as stored. */
export interface ActBytes {
  readonly actor: Uint8Array;
  readonly reason: Uint8Array;
}

/** The queues of a TRANSFER, as stored. */
export interface QueueBytes {
  readonly from: Uint8Array;
  readonly to: Uint8Array;
}

export const NO_ACTOR: ActBytes = { actor: new Uint8Array(0), reason: new Uint8Array(0) };
export const NO_QUEUES: QueueBytes = { from: new Uint8Array(0), to: new Uint8Array(0) };

export function actBytes(actor: string, reason: string | undefined): ActBytes {
  return { actor: cutBytes(actor, ACTOR_BYTES_MAX), reason: cutBytes(reason ?? '', REASON_BYTES_MAX) };
}

export function queueBytes(from: string, to: string): QueueBytes {
  return { from: Buffer.from(from, 'utf8'), to: Buffer.from(to, 'utf8') };
}

export function actBodyBytes(parts: ActParts, act: ActBytes, count: number, queues = NO_QUEUES): number {
  const names = parts.queues ? 1 + queues.from.length + 1 + queues.to.length : 0;
  const texts = parts.actor ? 1 + act.actor.length + 2 + act.reason.length : 0;
  return 8 + (parts.priority ? 4 : 0) + names + texts + 4 + count * (parts.previous ? 2 * ID_BYTES : ID_BYTES);
}

/** Writes all but the items; one `actItem` for each must follow. */
export function encodeActHead(
  body: RecordBody,
  parts: ActParts,
  fields: { readonly atMs: number; readonly priority: number; readonly count: number },
  act: ActBytes,
  queues = NO_QUEUES,
): BodyWriter {
  const writer = new BodyWriter(body).u64(fields.atMs);
  if (parts.priority) writer.u32(fields.priority);
  if (parts.queues) writer.str8(queues.from).str8(queues.to);
  if (parts.actor) writer.str8(act.actor).str16(act.reason);
  return writer.u32(fields.count);
}

export function encodeActItem(writer: BodyWriter, parts: ActParts, id: number, previous: number): void {
  writer.u64(id);
  if (parts.previous) writer.u64(previous);
}

export interface ActHead {
  readonly atMs: number;
  /** 0 where the kind has none. */
  readonly priority: number;
  /** Queues; empty where the kind has none. */
  readonly from: string;
  readonly to: string;
  /** Empty where the kind has none. */
  readonly actor: string;
  readonly reason: string;
  readonly count: number;
}

export interface ActItem {
  readonly id: number;
  /** 0 where the kind has none. */
  readonly previous: number;
}

/** Reads all but the items, which `decodeActItem` then reads one by one. @throws RecordError */
export function decodeActHead(reader: BodyReader, parts: ActParts): ActHead {
  const head = {
    atMs: reader.u64(),
    priority: parts.priority ? reader.u32() : 0,
    from: parts.queues ? reader.str8() : '',
    to: parts.queues ? reader.str8() : '',
    actor: parts.actor ? reader.str8() : '',
    reason: parts.actor ? reader.str16() : '',
    count: reader.u32(),
  };
  if (reader.left !== head.count * (parts.previous ? 2 * ID_BYTES : ID_BYTES)) {
    throw new RecordError(`says that it speaks of ${head.count} jobs, but its length does not fit`);
  }
  return head;
}

export function decodeActItem(reader: BodyReader, parts: ActParts): ActItem {
  return { id: reader.u64(), previous: parts.previous ? reader.u64() : 0 };
}

/** A record as a whole. @throws RecordError */
export function decodeAct(body: RecordBody, parts: ActParts): ActHead & { readonly items: readonly ActItem[] } {
  const reader = new BodyReader(body);
  const head = decodeActHead(reader, parts);
  return { ...head, items: Array.from({ length: head.count }, () => decodeActItem(reader, parts)) };
}

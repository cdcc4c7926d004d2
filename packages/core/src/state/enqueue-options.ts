import type { ActBytes } from './act-records.js';
import { BodyReader, BodyWriter, type RecordBody, RecordError, readU64 } from './record-body.js';

/*
 * Options of an ENQUEUE record: tag u8 · length u16 · value
 *   4    expiresAtMs u64
 *   129  clonedFrom: id u64 · actor str8 · reason str16
 */
const OPTION = { expiresAt: 4, clonedFrom: 129 } as const;
const HEAD_BYTES = 3;
/** Options with a tag below this must be known to the reader. */
const SKIPPABLE_TAG = 128;
const EXPIRES_BYTES = HEAD_BYTES + 8;

export const NO_OPTIONS: Uint8Array = new Uint8Array(0);

/** From which job another one was cloned, by whom and why. */
export interface CloneOrigin {
  readonly id: number;
  readonly actor: string;
  readonly reason: string;
}

export function encodeExpiry(expiresAtMs: number): Uint8Array {
  return encoded(EXPIRES_BYTES, (writer) => writer.u8(OPTION.expiresAt).u16(8).u64(expiresAtMs));
}

export function encodeCloneOrigin(id: number, act: ActBytes): Uint8Array {
  const valueBytes = 8 + 1 + act.actor.length + 2 + act.reason.length;
  return encoded(HEAD_BYTES + valueBytes, (writer) =>
    writer.u8(OPTION.clonedFrom).u16(valueBytes).u64(id).str8(act.actor).str16(act.reason),
  );
}

/** Looks at all options between two offsets of the buffer. @returns the expiry, or 0 @throws RecordError */
export function readExpiry(body: RecordBody, from: number, to: number): number {
  let expiresAtMs = 0;
  walk(body.view, from, to, (tag, at, bytes) => {
    if (tag === OPTION.expiresAt) {
      if (bytes !== 8 || expiresAtMs !== 0) throw new RecordError('has an expiry that makes no sense');
      expiresAtMs = readU64(body.view, at);
    } else if (tag < SKIPPABLE_TAG) {
      throw new RecordError(`has the option ${tag}, which this version does not know`);
    }
  });
  return expiresAtMs;
}

/** @throws RecordError */
export function readCloneOrigin(body: RecordBody, from: number, to: number): CloneOrigin | undefined {
  let origin: CloneOrigin | undefined;
  walk(body.view, from, to, (tag, offset, bodyBytes) => {
    if (tag !== OPTION.clonedFrom) return;
    const reader = new BodyReader({ ...body, offset, bodyBytes });
    origin = { id: reader.u64(), actor: reader.str8(), reason: reader.str16() };
    reader.end();
  });
  return origin;
}

function walk(view: DataView, from: number, to: number, visit: (tag: number, at: number, bytes: number) => void): void {
  let at = from;
  while (at < to) {
    if (at + HEAD_BYTES > to) throw new RecordError('has an option that is cut off');
    const bytes = view.getUint16(at + 1, true);
    if (at + HEAD_BYTES + bytes > to) throw new RecordError('has an option that is cut off');
    visit(view.getUint8(at), at + HEAD_BYTES, bytes);
    at += HEAD_BYTES + bytes;
  }
}

function encoded(bytes: number, write: (writer: BodyWriter) => void): Uint8Array {
  const buffer = new Uint8Array(bytes);
  write(new BodyWriter({ buffer, view: new DataView(buffer.buffer), offset: 0, bodyBytes: bytes }));
  return buffer;
}

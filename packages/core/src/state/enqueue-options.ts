import type { JobHeaders } from '@holdfast/contract';
import type { JobExtras } from '@holdfast/contract/rules';
import type { ActBytes } from './act-records.js';
import type { KeyFields } from './key-table.js';
import { BodyReader, BodyWriter, type RecordBody, RecordError, readU64 } from './record-body.js';

/*
 * Options of an ENQUEUE record: tag u8 · length u16 · value
 *   1    dedupe: forMs u64 · key (the rest)
 *   3    headers: as many as fit of name str8 · value str16
 *   4    expiresAtMs u64
 *   5    timeoutMs u32
 *   129  clonedFrom: id u64 · actor str8 · reason str16
 */
const OPTION = { dedupe: 1, headers: 3, expiresAt: 4, timeout: 5, clonedFrom: 129 } as const;
const KNOWN_ELSEWHERE: ReadonlySet<number> = new Set([OPTION.dedupe, OPTION.headers, OPTION.timeout]);
const HEAD_BYTES = 3;
/** Options with a tag below this must be known to the reader. */
const SKIPPABLE_TAG = 128;

export const NO_OPTIONS: Uint8Array = new Uint8Array(0);

/** From which job another one was cloned, by whom and why. */
export interface CloneOrigin {
  readonly id: number;
  readonly actor: string;
  readonly reason: string;
}

export function encodeDedupe({ key, forMs }: KeyFields): Uint8Array {
  const bytes = Buffer.from(key);
  return encoded(OPTION.dedupe, 8 + bytes.length, (writer) => writer.u64(forMs).bytes(bytes));
}

export function encodeExpiry(expiresAtMs: number): Uint8Array {
  return encoded(OPTION.expiresAt, 8, (writer) => writer.u64(expiresAtMs));
}

export function encodeCloneOrigin(id: number, act: ActBytes): Uint8Array {
  return encoded(OPTION.clonedFrom, 8 + 1 + act.actor.length + 2 + act.reason.length, (writer) =>
    writer.u64(id).str8(act.actor).str16(act.reason),
  );
}

export function encodeExtras({ timeoutMs, headers }: JobExtras): Uint8Array {
  return joined([
    ...(timeoutMs === undefined ? [] : [encoded(OPTION.timeout, 4, (writer) => writer.u32(timeoutMs))]),
    ...(headers === undefined ? [] : [encodeHeaders(headers)]),
  ]);
}

/** Several encoded options as one list. */
export function joined(options: readonly Uint8Array[]): Uint8Array {
  if (options.length === 1) return options[0]!;
  const bytes = new Uint8Array(options.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const option of options) {
    bytes.set(option, at);
    at += option.length;
  }
  return bytes;
}

/** Looks at all options between two offsets of the buffer. @returns the expiry, or 0 @throws RecordError */
export function readExpiry(body: RecordBody, from: number, to: number): number {
  let expiresAtMs = 0;
  walk(body.view, from, to, (tag, at, bytes) => {
    if (tag === OPTION.expiresAt) {
      if (bytes !== 8 || expiresAtMs !== 0) throw new RecordError('has an expiry that makes no sense');
      expiresAtMs = readU64(body.view, at);
    } else if (tag < SKIPPABLE_TAG && !KNOWN_ELSEWHERE.has(tag)) {
      throw new RecordError(`has the option ${tag}, which this version does not know`);
    }
  });
  return expiresAtMs;
}

/** The key of the job, if it has one. @throws RecordError */
export function readDedupe(body: RecordBody, from: number, to: number): KeyFields | undefined {
  let dedupe: KeyFields | undefined;
  walk(body.view, from, to, (tag, offset, bodyBytes) => {
    if (tag !== OPTION.dedupe) return;
    const reader = new BodyReader({ ...body, offset, bodyBytes });
    dedupe = { forMs: reader.u64(), key: reader.text(reader.left) };
  });
  return dedupe;
}

/** @returns `undefined` where there are none @throws RecordError */
export function readExtras(body: RecordBody, from: number, to: number): JobExtras | undefined {
  let timeoutMs: number | undefined;
  let headers: JobHeaders | undefined;
  walk(body.view, from, to, (tag, offset, bodyBytes) => {
    if (tag !== OPTION.timeout && tag !== OPTION.headers) return;
    const reader = new BodyReader({ ...body, offset, bodyBytes });
    if (tag === OPTION.timeout) timeoutMs = reader.u32();
    else headers = readHeaders(reader);
    reader.end();
  });
  if (timeoutMs === undefined && headers === undefined) return undefined;
  return { ...(timeoutMs === undefined ? {} : { timeoutMs }), ...(headers === undefined ? {} : { headers }) };
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

function encodeHeaders(headers: JobHeaders): Uint8Array {
  const pairs = Object.entries(headers).map(([name, value]) => [Buffer.from(name), Buffer.from(value)] as const);
  const bytes = pairs.reduce((sum, [name, value]) => sum + 1 + name.length + 2 + value.length, 0);
  return encoded(OPTION.headers, bytes, (writer) => {
    for (const [name, value] of pairs) writer.str8(name).str16(value);
  });
}

function readHeaders(reader: BodyReader): JobHeaders {
  const pairs: [string, string][] = [];
  while (reader.left > 0) pairs.push([reader.str8(), reader.str16()]);
  return Object.fromEntries(pairs);
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

function encoded(tag: number, valueBytes: number, write: (writer: BodyWriter) => void): Uint8Array {
  const buffer = new Uint8Array(HEAD_BYTES + valueBytes);
  const body = { buffer, view: new DataView(buffer.buffer), offset: 0, bodyBytes: buffer.length };
  write(new BodyWriter(body).u8(tag).u16(valueBytes));
  return buffer;
}

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/*
 * A reader of a log written from docs/log-format.md alone. It shares no code with Holdfast, does nothing clever, and says the same
 * as `holdfast dump`: the page draws every byte, or this would not be possible.
 */
type Line = Record<string, unknown>;

/** @param readBody what to make of the body of a record; the records of a log need not be those of a job queue */
export function readAsStranger(
  directory: string,
  readBody: (kind: number, body: Buffer) => Line = readJobRecord,
): Line[] {
  const lines: Line[] = [];
  const names = readdirSync(directory).filter((name) => /^\d{10}\.segment$/.test(name));
  for (const name of names.sort()) {
    readSegment(name, readFileSync(join(directory, name)), (line) => lines.push(line), readBody);
  }
  return lines;
}

type Add = (line: Line) => void;
type ReadBody = (kind: number, body: Buffer) => Line;

function readSegment(file: string, bytes: Buffer, add: Add, readBody: ReadBody): void {
  if (bytes.toString('latin1', 0, 8) !== 'HOLDFAST' || bytes.readUInt32LE(252) !== crc(bytes.subarray(0, 252))) {
    throw new Error(`${file} has no header`);
  }
  const numbers = ['epoch', 'firstSeq', 'idFloor', 'tokenFloor', 'minSegment', 'createdAtMs'];
  const segment = u64(bytes, 40);
  add({
    type: 'segment',
    segment,
    file,
    bytes: bytes.length,
    formatVersion: bytes.readUInt16LE(8),
    storeId: bytes.toString('hex', 24, 40),
    salt: hex64(bytes, 48),
    compatibleFeatures: bytes.readUInt32LE(12),
    readOnlyFeatures: bytes.readUInt32LE(16),
    incompatibleFeatures: bytes.readUInt32LE(20),
    ...Object.fromEntries(numbers.map((name, index) => [name, u64(bytes, 56 + 8 * index)])),
    previousSegment: u64(bytes, 104),
    previousEnd: u64(bytes, 112),
    previousLastSeq: u64(bytes, 120),
    rankFloor: u64(bytes, 132),
    previousCrc: hex32(bytes, 128),
  });
  for (let at = bytes.readUInt16LE(10); at < bytes.length; ) at = readFrame(segment, bytes, at, add, readBody);
}

function readFrame(segment: number, bytes: Buffer, at: number, add: Add, readBody: ReadBody): number {
  const recordsBytes = bytes.readUInt32LE(at + 8);
  const records = bytes.subarray(at + 64, at + 64 + recordsBytes);
  const isValid =
    bytes.toString('latin1', at, at + 4) === 'HFRM' &&
    bytes.readUInt32LE(at + 60) === crc(bytes.subarray(at, at + 60)) &&
    hex64(bytes, at + 16) === hex64(bytes, 48) &&
    u64(bytes, at + 40) === at &&
    bytes.readUInt32LE(at + 48) === (recordsBytes === 0 ? 0 : crc(records));
  if (!isValid) throw new Error(`there is no frame at ${at}`);
  const seq = u64(bytes, at + 24);
  add({
    type: 'frame',
    segment,
    offset: at,
    seq,
    frame: ['', 'RECORDS', 'SEAL', 'CLOSE', 'IDLE'][bytes.readUInt8(at + 4)],
    durableUpTo: u64(bytes, at + 32),
    recordCount: bytes.readUInt32LE(at + 12),
    recordsBytes,
    recordsCrc: hex32(bytes, at + 48),
    headerCrc: hex32(bytes, at + 60),
  });
  for (let from = 0; from < recordsBytes; ) {
    const bodyBytes = records.readUInt32LE(from);
    const end = from + 12 + bodyBytes;
    if (records.readUInt32LE(from + 4) !== crc(records.subarray(from + 8, end)))
      throw new Error('a record is not whole');
    add({
      ...readHead({ segment, offset: at + 64 + from, seq }, records.subarray(from, end)),
      ...readBody(records.readUInt8(from + 8), records.subarray(from + 12, end)),
    });
    from = end;
  }
  return at + 64 + Math.ceil(recordsBytes / 8) * 8;
}

function readHead(place: Line, record: Buffer): Line {
  const kind = record.readUInt8(8);
  const name = ['', 'ENQUEUE', 'ATTEMPT', 'ACK', 'RETRY', 'DEAD', 'RELEASE', 'REDRIVE'][kind];
  const skippable = (record.readUInt8(9) & 1) === 1 ? { skippable: true } : {};
  return {
    type: 'record',
    ...place,
    kind,
    name,
    ...skippable,
    bodyBytes: record.length - 12,
    crc: hex32(record, 4),
  };
}

function readJobRecord(kind: number, bytes: Buffer): Line {
  const body = new Body(bytes);
  if (kind === 1) return readEnqueue(body);
  const atMs = body.u64();
  if (kind === 2) {
    const leaseMs = body.u32();
    const worker = body.str(1);
    const items = body.items(() => ({
      id: body.u64(),
      token: body.token(),
      attempt: body.u32(),
      previous: body.u64(),
    }));
    return { atMs, leaseMs, worker, items };
  }
  if (kind === 3) {
    return {
      atMs,
      items: body.items(() => ({ id: body.u64(), token: body.token(), previous: body.u64(), ...body.result() })),
    };
  }
  const id = body.u64();
  if (kind === 7) return { atMs, id, previous: body.u64(), actor: body.str(1), reason: body.str(2) };
  const lease = { atMs, id, token: body.token(), previous: body.u64() };
  if (kind === 5) return { ...lease, ...body.error() };
  const runAtMs = body.u64();
  return kind === 6 ? { ...lease, runAtMs } : { ...lease, runAtMs, ...body.error() };
}

function readEnqueue(body: Body): Line {
  const times = { id: body.u64(), enqueuedAtMs: body.u64(), runAtMs: body.u64() };
  const priority = body.u32();
  const maxAttempts = body.u32() || null;
  const kind = body.u8() === 1 ? 'exponential' : 'fixed';
  const jitter = body.u8() === 1 ? 'full' : 'none';
  const isText = body.u8() === 0;
  body.u8();
  const backoff = { kind, jitter, baseMs: body.u32(), maxMs: body.u32() };
  const optionsBytes = body.u16();
  const names = { queue: body.str(1), jobName: body.str(1) };
  body.take(optionsBytes);
  const payload = body.take(body.left);
  const shown = isText ? { payload: payload.toString('utf8') } : { payloadBase64: payload.toString('base64') };
  return { ...times, ...names, priority, maxAttempts, backoff, payloadBytes: payload.length, ...shown };
}

class Body {
  readonly #bytes: Buffer;
  #at = 0;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  get left(): number {
    return this.#bytes.length - this.#at;
  }

  take(bytes: number): Buffer {
    this.#at += bytes;
    return this.#bytes.subarray(this.#at - bytes, this.#at);
  }

  u8 = () => this.take(1).readUInt8();
  u16 = () => this.take(2).readUInt16LE();
  u32 = () => this.take(4).readUInt32LE();
  u64 = () => u64(this.take(8), 0);
  str = (lengthBytes: 1 | 2) => this.take(lengthBytes === 1 ? this.u8() : this.u16()).toString('utf8');

  /** Six hexadecimal digits of the epoch, a dot, and eight of the counter. */
  token(): string {
    const counter = hex32(this.take(4), 0);
    return `${hex32(this.take(4), 0).slice(2)}.${counter}`;
  }

  items(read: () => Line): Line[] {
    return Array.from({ length: this.u32() }, read);
  }

  result(): Line {
    const encoding = this.u8();
    const bytes = this.take(this.u32());
    return encoding === 0
      ? {}
      : encoding === 1
        ? { result: bytes.toString('utf8') }
        : { resultBase64: bytes.toString('base64') };
  }

  error(): Line {
    const cause = this.u8();
    const error = { class: this.str(1), message: this.str(2) };
    const stack = this.str(2);
    return { cause, error: stack === '' ? error : { ...error, stack } };
  }
}

function u64(bytes: Buffer, at: number): number {
  return Number(bytes.readBigUInt64LE(at));
}

function hex32(bytes: Buffer, at: number): string {
  return bytes.readUInt32LE(at).toString(16).padStart(8, '0');
}

function hex64(bytes: Buffer, at: number): string {
  return bytes.readBigUInt64LE(at).toString(16).padStart(16, '0');
}

/** CRC-32C, a bit at a time. */
function crc(bytes: Uint8Array): number {
  let sum = 0xffffffff;
  for (const byte of bytes) {
    sum ^= byte;
    for (let bit = 0; bit < 8; bit++) sum = (sum >>> 1) ^ (sum & 1 ? 0x82f63b78 : 0);
  }
  return (sum ^ 0xffffffff) >>> 0;
}

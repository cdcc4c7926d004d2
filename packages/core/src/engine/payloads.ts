import type { Payload } from '@holdfast/contract';
import type { JobExtras } from '@holdfast/contract/rules';
import type { RecordSource } from '../log/log-record.js';
import type { CloneOrigin } from '../state/enqueue-options.js';
import {
  decodeCloneOrigin,
  decodeDedupe,
  decodeExtras,
  decodePayload,
  enqueueBodyBytes,
} from '../state/enqueue-record.js';
import type { JobTable } from '../state/job-table.js';
import { decodeMove } from '../state/move-record.js';
import { type RecordBody, RecordError, readU64 } from '../state/record-body.js';
import { RECORD } from '../state/record-kinds.js';
import { decodingAt } from './corrupt-record.js';
import type { EncodedPayloads } from './encoded-payloads.js';
import { PayloadRing } from './payload-ring.js';
import { RECORD_HEAD_BYTES } from './record-head.js';

/** A payload with what few jobs carry beside it. */
export class LadenPayload {
  readonly payload: Payload;
  readonly extras: JobExtras;

  constructor(payload: Payload, extras: JobExtras) {
    this.payload = payload;
    this.extras = extras;
  }
}

type Kept = Payload | LadenPayload;

/** Payloads live on the disk. Those of the youngest jobs are also kept in memory, up to a number of bytes. */
export class Payloads {
  readonly #table: JobTable;
  readonly #log: RecordSource;
  readonly #ring: PayloadRing;
  #taken: { readonly place: number | undefined; readonly encoded: EncodedPayloads } | undefined;

  constructor(table: JobTable, log: RecordSource, bytesMax: number) {
    this.#table = table;
    this.#log = log;
    this.#ring = new PayloadRing(bytesMax);
  }

  /** Takes the payloads of a call; `put` says whose they are. */
  take(encoded: EncodedPayloads): void {
    this.#taken = { place: this.#ring.take(encoded.all()), encoded };
  }

  /** The payload at this index of the call is that of a new job. */
  put(id: number, index: number, encoding: number, extras: JobExtras | undefined): void {
    const taken = this.#taken;
    if (taken?.place === undefined) return;
    const { place, encoded } = taken;
    this.#ring.note(id, place + encoded.starts[index]!, encoding, encoded.isAscii, extras);
  }

  /** Forgets the payload of a job that has another one now. */
  forget(id: number): void {
    this.#ring.forget(id);
  }

  /** The payload, with what the job carries beside it if there is anything. @throws LogCorruptError if the record on the disk is damaged */
  of(slot: number): Payload | LadenPayload {
    const { columns } = this.#table;
    const id = columns.id[slot]!;
    const payload = this.#ring.payload(id, columns.payloadBytes.at(slot));
    if (payload === undefined) return this.#read(slot, id, decodeKept);
    const extras = this.#ring.extras(id);
    return extras === undefined ? payload : new LadenPayload(payload, extras);
  }

  /** What the job carries beside its payload. @throws LogCorruptError if the record on the disk is damaged */
  extrasOf(slot: number): JobExtras | undefined {
    return this.#isPlain(slot) ? undefined : extrasIn(this.of(slot));
  }

  /** The key that it was enqueued with, if it has one. @throws LogCorruptError if the record on the disk is damaged */
  keyOf(slot: number): string | undefined {
    if (this.#isPlain(slot)) return undefined;
    return this.#table.keys.keyOf(slot) ?? this.#read(slot, this.#table.columns.id[slot]!, decodeDedupe)?.key;
  }

  /** From which job it was cloned, if it was. @throws LogCorruptError if the record on the disk is damaged */
  originOf(slot: number): CloneOrigin | undefined {
    return this.#isPlain(slot) ? undefined : this.#read(slot, this.#table.columns.id[slot]!, decodeCloneOrigin);
  }

  /** Known without a look at the disk: its record holds no options. */
  #isPlain(slot: number): boolean {
    const { columns } = this.#table;
    const { template } = this.#table.shapeOf(slot);
    const plainBytes = RECORD_HEAD_BYTES + enqueueBodyBytes(template, columns.payloadBytes.at(slot));
    return columns.enqueueBytes.at(slot) === plainBytes;
  }

  #read<Value>(slot: number, id: number, decode: (body: RecordBody) => Value): Value {
    const { columns } = this.#table;
    const location = columns.enqueueLocation[slot]!;
    const record = this.#log.readRecord(location, columns.enqueueBytes.at(slot));
    return decodingAt(location, () => {
      const body = record.kind === RECORD.move ? decodeMove(record).enqueue : record;
      if (readU64(body.view, body.offset) !== id) throw new RecordError('belongs to another job');
      return decode(body);
    });
  }
}

export function payloadIn(kept: Payload | LadenPayload): Payload {
  return kept instanceof LadenPayload ? kept.payload : kept;
}

export function extrasIn(kept: Payload | LadenPayload): JobExtras | undefined {
  return kept instanceof LadenPayload ? kept.extras : undefined;
}

function decodeKept(body: RecordBody): Kept {
  const payload = decodePayload(body);
  const extras = decodeExtras(body);
  return extras === undefined ? payload : new LadenPayload(payload, extras);
}

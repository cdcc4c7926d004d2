import type { JobExtras } from '@holdfast/contract/rules';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { keeping } from '../../test/model/keeping.js';
import type { LogRecord } from '../log/log-record.js';
import {
  encodeEnqueue,
  enqueueBodyBytes,
  PAYLOAD_BYTES,
  PAYLOAD_TEXT,
  payloadLength,
} from '../state/enqueue-record.js';
import { JobTable } from '../state/job-table.js';
import { RECORD } from '../state/record-kinds.js';
import { EncodedPayloads } from './encoded-payloads.js';
import { inColumns } from './engine-jobs.js';
import { extrasIn, Payloads, payloadIn } from './payloads.js';

const BACKOFF = { kind: 'fixed' as const, baseMs: 1, maxMs: 1, jitter: 'none' as const };
const SHAPE = { queue: 'q', name: 'n', priority: 0, maxAttempts: 5, backoff: BACKOFF };

/** A table, a log that is a list of bodies, and the payloads over both. */
class PayloadRig {
  readonly table = new JobTable(keeping(10));
  readonly slots = new Map<number, number>();
  reads = 0;
  readonly #encoded = new EncodedPayloads();
  readonly #bodies: Uint8Array[] = [];
  readonly payloads: Payloads;

  constructor(bytesMax: number) {
    const readRecord = (location: number): LogRecord => {
      this.reads++;
      const buffer = this.#bodies[location - 1]!;
      const body = { buffer, view: new DataView(buffer.buffer), offset: 0, bodyBytes: buffer.length };
      return { ...body, kind: RECORD.enqueue, flags: 0, location, recordBytes: buffer.length + 12 };
    };
    this.payloads = new Payloads(this.table, { readRecord }, bytesMax);
  }

  add(id: number, payload: string | Uint8Array, extras?: JobExtras): void {
    this.#call([id], [payload], extras);
  }

  /** The jobs of one call, under the next ids. */
  addAll(payloads: readonly (string | Uint8Array)[]): (readonly [number, string | Uint8Array])[] {
    const ids = payloads.map((_, index) => this.table.nextId + index);
    this.#call(ids, payloads);
    return ids.map((id, index) => [id, payloads[index]!]);
  }

  #call(ids: readonly number[], payloads: readonly (string | Uint8Array)[], extras?: JobExtras): void {
    this.#encoded.encode(inColumns(payloads.map((payload) => ({ shape: SHAPE, payload }))).payloads);
    this.payloads.take(this.#encoded);
    for (const [index, id] of ids.entries()) {
      this.#store(id, payloads[index]!);
      this.payloads.put(id, index, typeof payloads[index] === 'string' ? PAYLOAD_TEXT : PAYLOAD_BYTES, extras);
    }
  }

  #store(id: number, payload: string | Uint8Array): void {
    const shape = this.table.shapes.intern(SHAPE);
    const fields = {
      id,
      enqueuedAtMs: 1,
      runAtMs: 1,
      priority: 0,
      payloadBytes: payloadLength(payload),
      expiresAtMs: 0,
    };
    const buffer = new Uint8Array(enqueueBodyBytes(shape.template, fields.payloadBytes));
    const body = { buffer, view: new DataView(buffer.buffer), offset: 0, bodyBytes: buffer.length };
    encodeEnqueue(body, fields, shape.template, payload);
    this.#bodies.push(buffer);
    this.slots.set(id, this.table.enqueue(fields, shape, this.#bodies.length, buffer.length));
  }

  /** The payload, and whether it came from memory. */
  get(id: number): [string | Uint8Array, 'memory' | 'disk'] {
    const before = this.reads;
    const payload = this.payloads.of(this.slots.get(id)!);
    return [payloadIn(payload), this.reads === before ? 'memory' : 'disk'];
  }
}

/** Of how many ids the places are known. */
const IDS = 2 ** 17;

const anyPayload = fc.oneof(
  fc.string({ unit: 'grapheme-ascii', maxLength: 20 }),
  fc.string({ unit: 'grapheme', maxLength: 20 }),
  fc.uint8Array({ maxLength: 60 }),
);

describe('Payloads', () => {
  it('keeps the youngest in memory up to a number of bytes and reads the others from the log', () => {
    const rig = new PayloadRig(10 * 6);
    for (let id = 1; id <= 25; id++) rig.add(id, `"${1000 + id}"`);
    expect(rig.get(15)).toEqual(['"1015"', 'disk']);
    expect(rig.get(16)).toEqual(['"1016"', 'memory']);
    expect(rig.get(25)).toEqual(['"1025"', 'memory']);
  });

  it('gives each job its own, of any kind and length, however often the memory was written over', () => {
    fc.assert(
      fc.property(fc.array(fc.array(anyPayload, { minLength: 1, maxLength: 5 }), { minLength: 40 }), (calls) => {
        const rig = new PayloadRig(200);
        const ids = new Map<number, string | Uint8Array>();
        for (const payloads of calls) for (const [id, payload] of rig.addAll(payloads)) ids.set(id, payload);
        for (const [id, payload] of ids) expect(rig.get(id)[0]).toEqual(payload);
      }),
    );
  });

  it('keeps one that is large beside the memory for all on the disk alone', () => {
    const rig = new PayloadRig(400);
    rig.add(1, '"small"');
    rig.add(2, 'x'.repeat(101));
    rig.add(3, 'x'.repeat(100));
    expect([1, 2, 3].map((id) => rig.get(id)[1])).toEqual(['memory', 'disk', 'memory']);
  });

  it('knows the places of a number of jobs, whatever their payloads', () => {
    const rig = new PayloadRig(1000);
    rig.add(1, 'old');
    rig.add(2, 'young');
    rig.add(IDS + 1, 'new');
    expect([1, 2, IDS + 1].map((id) => rig.get(id))).toEqual([
      ['old', 'disk'],
      ['young', 'memory'],
      ['new', 'memory'],
    ]);
  });

  it('forgets that of a job which has another one now', () => {
    const rig = new PayloadRig(1000);
    rig.add(1, 'old');
    rig.payloads.forget(1);
    rig.payloads.forget(IDS + 1);
    expect(rig.get(1)).toEqual(['old', 'disk']);
  });

  it('grows with its jobs before it gives anything up', () => {
    const rig = new PayloadRig(16 * 1024 * 1024);
    const payloads = Array.from({ length: 5000 }, (_, index) => `"${'x'.repeat(index % 50)}${index}"`);
    const jobs = [...rig.addAll(payloads.slice(0, 2500)), ...rig.addAll(payloads.slice(2500))];
    for (const [id, payload] of jobs) expect(rig.get(id)).toEqual([payload, 'memory']);
  });

  it('keeps what few jobs carry beside theirs', () => {
    const rig = new PayloadRig(1000);
    rig.add(1, 'a');
    rig.add(2, 'b', { timeoutMs: 7 });
    rig.add(3, 'c');
    expect(extrasIn(rig.payloads.of(rig.slots.get(2)!))).toEqual({ timeoutMs: 7 });
    rig.add(IDS + 2, 'd');
    const extras = (id: number) => extrasIn(rig.payloads.of(rig.slots.get(id)!));
    expect([1, 3, IDS + 2].map(extras)).toEqual([undefined, undefined, undefined]);
  });

  it('keeps a copy of bytes', () => {
    const rig = new PayloadRig(1000);
    rig.add(1, new Uint8Array([1, 2]));
    const [bytes] = rig.get(1);
    (bytes as Uint8Array)[0] = 9;
    expect(rig.get(1)).toEqual([new Uint8Array([1, 2]), 'memory']);
  });

  it('refuses a record that belongs to another job', () => {
    const rig = new PayloadRig(0);
    rig.add(1, 'a');
    rig.add(2, 'b');
    rig.table.columns.enqueueLocation[rig.slots.get(1)!] = 2;
    expect(() => rig.get(1)).toThrow(/belongs to another job/);
  });
});

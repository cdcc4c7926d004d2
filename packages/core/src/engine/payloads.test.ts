import { describe, expect, it } from 'vitest';
import { keeping } from '../../test/model/keeping.js';
import type { LogRecord } from '../log/log-record.js';
import { encodeEnqueue, enqueueBodyBytes, payloadLength } from '../state/enqueue-record.js';
import { JobTable } from '../state/job-table.js';
import { RECORD } from '../state/record-kinds.js';
import { Payloads, payloadIn } from './payloads.js';

const BACKOFF = { kind: 'fixed' as const, baseMs: 1, maxMs: 1, jitter: 'none' as const };

/** A table, a log that is a list of bodies, and the payloads over both. */
class PayloadRig {
  readonly table = new JobTable(keeping(10));
  readonly slots = new Map<number, number>();
  reads = 0;
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

  add(id: number, payload: string | Uint8Array): void {
    const shape = this.table.shapes.intern({ queue: 'q', name: 'n', maxAttempts: 5, backoff: BACKOFF });
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
    this.payloads.put(id, payload, fields.payloadBytes);
  }

  /** The payload, and whether it came from memory. */
  get(id: number): [string | Uint8Array, 'memory' | 'disk'] {
    const before = this.reads;
    const payload = this.payloads.of(this.slots.get(id)!);
    return [payloadIn(payload), this.reads === before ? 'memory' : 'disk'];
  }
}

describe('Payloads', () => {
  it('keeps the youngest in memory up to a number of bytes and reads the others from the log', () => {
    const rig = new PayloadRig(10 * (64 + 6));
    for (let id = 1; id <= 25; id++) rig.add(id, `"${1000 + id}"`);
    expect(rig.get(15)).toEqual(['"1015"', 'disk']);
    expect(rig.get(16)).toEqual(['"1016"', 'memory']);
    expect(rig.get(25)).toEqual(['"1025"', 'memory']);
    expect(rig.payloads.bytes).toBe(700);
  });

  it('gives memory back for what is dropped, whatever the order', () => {
    const rig = new PayloadRig(1_000_000);
    const ids = Array.from({ length: 3000 }, (_, index) => index + 5);
    for (const id of ids) rig.add(id, 'x'.repeat(id % 50));
    for (const id of ids) expect(rig.get(id)).toEqual(['x'.repeat(id % 50), 'memory']);
    for (const id of ids.filter((one) => one % 3 !== 0)) rig.payloads.drop(id);
    expect(rig.get(9)[1]).toBe('memory');
    expect(rig.get(10)[1]).toBe('disk');
    for (const id of ids) rig.payloads.drop(id);
    expect(rig.payloads.bytes).toBe(0);
    rig.add(9000, '{}');
    expect(rig.get(9000)).toEqual(['{}', 'memory']);
  });

  it('loses no count of its bytes when an old job stays a million jobs long', () => {
    const readRecord = () => {
      throw new Error('nothing is read here');
    };
    const payloads = new Payloads(new JobTable(keeping(10)), { readRecord }, 1000);
    const lastId = 2 ** 20 + 1;
    payloads.put(1, 'old', 3);
    for (let id = 2; id < lastId; id++) {
      payloads.put(id, 'young', 5);
      payloads.drop(id);
    }
    payloads.put(lastId, 'last', 4);
    expect(payloads.bytes).toBe(64 + 4);
    payloads.drop(lastId);
    expect(payloads.bytes).toBe(0);
  });

  it('keeps a copy of bytes', () => {
    const rig = new PayloadRig(1000);
    const bytes = new Uint8Array([1, 2]);
    rig.add(1, bytes);
    bytes[0] = 9;
    expect(rig.get(1)[0]).toEqual(new Uint8Array([1, 2]));
  });

  it('refuses a record that belongs to another job', () => {
    const rig = new PayloadRig(0);
    rig.add(1, 'a');
    rig.add(2, 'b');
    rig.table.columns.enqueueLocation[rig.slots.get(1)!] = 2;
    expect(() => rig.get(1)).toThrow(/belongs to another job/);
  });
});

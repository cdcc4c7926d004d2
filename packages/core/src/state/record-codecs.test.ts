import type { Payload } from '@holdfast/contract';
import { payloadBytes } from '@holdfast/contract/rules';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { keeping } from '../../test/model/keeping.js';
import {
  ACT_PARTS,
  actBodyBytes,
  actBytes,
  decodeAct,
  encodeActHead,
  encodeActItem,
  NO_ACTOR,
  queueBytes,
} from './act-records.js';
import { encodeCloneOrigin, encodeDedupe, encodeExpiry, encodeExtras, joined } from './enqueue-options.js';
import {
  decodeCloneOrigin,
  decodeEnqueue,
  decodeExtras,
  decodePayload,
  encodeEnqueue,
  enqueueBodyBytes,
  namesEnd,
  payloadLength,
  SHAPE_AT,
} from './enqueue-record.js';
import { JobColumns } from './job-columns.js';
import {
  ACK_HEAD_BYTES,
  ATTEMPT_ITEM_BYTES,
  ackItemBytes,
  attemptBodyBytes,
  decodeAckItem,
  decodeAttemptHead,
  decodeAttemptItem,
  encodeAckHead,
  encodeAckItem,
  encodeAttemptHead,
  encodeAttemptItem,
} from './lease-records.js';
import {
  decodePause,
  decodeResume,
  encodePause,
  encodeResume,
  pauseBodyBytes,
  resumeBodyBytes,
} from './pause-records.js';
import { BodyReader, type RecordBody, RecordError } from './record-body.js';
import { CAUSE } from './record-kinds.js';
import {
  deadBodyBytes,
  decodeDead,
  decodeRedrive,
  decodeRelease,
  decodeRetry,
  encodeDead,
  encodeRedrive,
  encodeRelease,
  encodeRetry,
  errorBytes,
  RELEASE_BODY_BYTES,
  redriveBodyBytes,
  retryBodyBytes,
} from './settle-records.js';
import { type ShapeFields, ShapeTable } from './shape-table.js';

const u64 = fc.maxSafeNat();
const u32 = fc.integer({ min: 0, max: 2 ** 32 - 1 });
const name = fc.string({ unit: 'grapheme', maxLength: 12 });
const payload: fc.Arbitrary<Payload> = fc.oneof(fc.string({ unit: 'grapheme' }), fc.uint8Array());
const jitter = fc.constantFrom('none' as const, 'full' as const, 'decorrelated' as const);
const shape: fc.Arbitrary<ShapeFields> = fc.record({
  queue: name,
  name,
  maxAttempts: fc.oneof(fc.constant(null), fc.integer({ min: 1, max: 2 ** 32 - 2 })),
  backoff: fc.oneof(
    fc.record({ kind: fc.constantFrom('fixed' as const, 'exponential' as const), jitter, baseMs: u32, maxMs: u32 }),
    fc.record({ kind: fc.constant('named' as const), jitter, baseMs: u32, maxMs: u32, name }),
  ),
});
const error = fc.record({ class: name, message: fc.string({ unit: 'grapheme' }), stack: fc.string({ minLength: 1 }) });
const reference = fc.record({ atMs: u64, id: u64, token: u64, previous: u64 });
const cause = fc.constantFrom(CAUSE.failed, CAUSE.leaseExpired, CAUSE.processEnded);

/** A body in the midst of other bytes, as it lies in a frame. */
function bodyOf(bodyBytes: number): RecordBody {
  const buffer = new Uint8Array(bodyBytes + 40).fill(0xee);
  return { buffer, view: new DataView(buffer.buffer), offset: 20, bodyBytes };
}

function expectWithin(body: RecordBody): void {
  const { buffer, offset, bodyBytes } = body;
  expect([...buffer.subarray(0, offset), ...buffer.subarray(offset + bodyBytes)]).toEqual(new Array(40).fill(0xee));
}

describe('ENQUEUE', () => {
  it('comes back with every field', () => {
    fc.assert(
      fc.property(shape, u64, u64, u64, u32, payload, (fields, id, enqueuedAtMs, runAtMs, priority, given) => {
        const shapes = new ShapeTable(new JobColumns(), keeping(10));
        const { template } = shapes.intern(fields);
        const written = { id, enqueuedAtMs, runAtMs, priority, payloadBytes: payloadLength(given), expiresAtMs: 0 };
        const body = bodyOf(enqueueBodyBytes(template, written.payloadBytes));
        encodeEnqueue(body, written, template, given);
        expectWithin(body);
        const read = { id: 0, enqueuedAtMs: 0, runAtMs: 0, priority: 0, payloadBytes: 0, expiresAtMs: 0 };
        const optionsAt = namesEnd(body);
        decodeEnqueue(body, optionsAt, read);
        expect(read).toEqual(written);
        expect(decodePayload(body)).toEqual(given);
        const again = new ShapeTable(new JobColumns(), keeping(10));
        const shapeAt = body.offset + SHAPE_AT;
        expect(again.internBytes(body.buffer, shapeAt, optionsAt - shapeAt)).toMatchObject(fields);
        expect(shapes.internBytes(body.buffer, shapeAt, optionsAt - shapeAt).index).toBe(0);
      }),
    );
  });

  it('has the bytes that docs/log-format.md draws', () => {
    const backoff = { kind: 'exponential' as const, baseMs: 1000, maxMs: 3600, jitter: 'full' as const };
    const fields = { queue: 'q', name: 'nm', maxAttempts: 5, backoff };
    const { template } = new ShapeTable(new JobColumns(), keeping(10)).intern(fields);
    const body = bodyOf(enqueueBodyBytes(template, 2));
    encodeEnqueue(
      body,
      { id: 7, enqueuedAtMs: 2 ** 40 + 1, runAtMs: 3, priority: 9, payloadBytes: 2, expiresAtMs: 0 },
      template,
      new Uint8Array([0xaa, 0xbb]),
    );
    const hex = Buffer.from(body.buffer.subarray(body.offset, body.offset + body.bodyBytes)).toString('hex');
    expect(hex).toBe(
      ['0700000000000000', '0100000000010000', '0300000000000000', '09000000', '05000000', '01', '01', '01', '00'].join(
        '',
      ) + ['e8030000', '100e0000', '0000', '0171', '026e6d', 'aabb'].join(''),
    );
  });

  it('skips options from 128 on and refuses those below', () => {
    const { template } = new ShapeTable(new JobColumns(), keeping(10)).intern({
      queue: 'q',
      name: 'n',
      maxAttempts: null,
      backoff: { kind: 'fixed', baseMs: 1, maxMs: 1, jitter: 'none' },
    });
    const withOption = (tag: number) => {
      const body = bodyOf(enqueueBodyBytes(template, 5 + 2));
      encodeEnqueue(
        body,
        { id: 1, enqueuedAtMs: 1, runAtMs: 1, priority: 0, payloadBytes: 7, expiresAtMs: 0 },
        template,
        '12345{}',
      );
      body.view.setUint16(body.offset + 44, 5, true);
      body.buffer.set([tag, 2, 0, 1, 1], body.offset + SHAPE_AT + template.length);
      return body;
    };
    expect(decodePayload(withOption(128))).toBe('{}');
    expect(() => decodePayload(withOption(127))).toThrow(RecordError);
  });

  it('is refused when it is cut off anywhere before its payload', () => {
    const { template } = new ShapeTable(new JobColumns(), keeping(10)).intern({
      queue: 'queue',
      name: 'name',
      maxAttempts: null,
      backoff: { kind: 'fixed', baseMs: 1, maxMs: 1, jitter: 'none' },
    });
    const whole = bodyOf(enqueueBodyBytes(template, 0));
    encodeEnqueue(
      whole,
      { id: 1, enqueuedAtMs: 1, runAtMs: 1, priority: 0, payloadBytes: 0, expiresAtMs: 0 },
      template,
      '',
    );
    expect(decodePayload(whole)).toBe('');
    for (let bodyBytes = 0; bodyBytes < whole.bodyBytes; bodyBytes++) {
      expect(() => decodePayload({ ...whole, bodyBytes })).toThrow(RecordError);
    }
  });
});

describe('ATTEMPT', () => {
  const item = fc.record({ id: u64, token: u64, attempt: u32, previous: u64 });

  it('comes back with every field', () => {
    fc.assert(
      fc.property(u64, u32, name, fc.array(item), (atMs, leaseMs, worker, items) => {
        const workerBytes = Buffer.from(worker);
        const body = bodyOf(attemptBodyBytes(workerBytes, items.length));
        let at = encodeAttemptHead(body, atMs, leaseMs, workerBytes, items.length);
        for (const { id, token, attempt, previous } of items)
          at = encodeAttemptItem(body.view, at, id, token, attempt, previous);
        expectWithin(body);
        const head = decodeAttemptHead(body);
        expect(head).toMatchObject({ atMs, leaseMs, worker, count: items.length });
        const read = items.map((_, index) => {
          const one = { id: 0, token: 0, attempt: 0, previous: 0 };
          decodeAttemptItem(body.view, head.itemsAt + index * ATTEMPT_ITEM_BYTES, one);
          return one;
        });
        expect(read).toEqual(items);
        expect(() => decodeAttemptHead({ ...body, bodyBytes: body.bodyBytes - 1 })).toThrow(RecordError);
      }),
    );
  });
});

describe('ACK', () => {
  const item = fc.record({ id: u64, token: u64, previous: u64, result: fc.oneof(fc.constant(undefined), payload) });

  it('comes back with every field, with and without results', () => {
    fc.assert(
      fc.property(u64, fc.array(item), (atMs, items) => {
        const body = bodyOf(items.reduce((sum, { result }) => sum + ackItemBytes(result), ACK_HEAD_BYTES));
        let at = encodeAckHead(body, atMs, items.length);
        for (const { id, token, previous, result } of items) at = encodeAckItem(body, at, id, token, previous, result);
        expectWithin(body);
        for (const withResult of [true, false]) {
          const reader = new BodyReader(body);
          expect([reader.u64(), reader.u32()]).toEqual([atMs, items.length]);
          for (const wanted of items) {
            const one = { id: 0, token: 0, previous: 0, result: undefined as Payload | undefined, resultBytes: 0 };
            decodeAckItem(reader, one, withResult);
            const resultBytes = payloadBytes(wanted.result === undefined ? [] : [wanted.result]);
            expect(one).toEqual({ ...wanted, result: withResult ? wanted.result : undefined, resultBytes });
          }
          reader.end();
        }
      }),
    );
  });
});

describe('the records of one job', () => {
  it('RETRY and DEAD come back with every field, and with texts only where they are asked for', () => {
    fc.assert(
      fc.property(reference, u64, cause, error, (fields, runAtMs, why, texts) => {
        const bytes = errorBytes(texts);
        const retry = bodyOf(retryBodyBytes(bytes));
        encodeRetry(retry, { ...fields, runAtMs, cause: why }, bytes);
        expectWithin(retry);
        expect(decodeRetry(retry, true)).toEqual({ ...fields, runAtMs, cause: why, error: texts });
        expect(decodeRetry(retry, false)).toMatchObject({ ...fields, runAtMs, cause: why });
        const dead = bodyOf(deadBodyBytes(bytes));
        encodeDead(dead, { ...fields, cause: why }, bytes);
        expectWithin(dead);
        expect(decodeDead(dead, true)).toEqual({ ...fields, cause: why, error: texts });
        expect(() => decodeDead({ ...dead, bodyBytes: dead.bodyBytes - 1 }, false)).toThrow(RecordError);
        expect(() => decodeDead({ ...dead, bodyBytes: dead.bodyBytes + 1 }, false)).toThrow(RecordError);
      }),
    );
  });

  it('leaves out a stack that was not given, and refuses a cause that it does not know', () => {
    const bytes = errorBytes({ class: 'A', message: 'm' });
    const body = bodyOf(deadBodyBytes(bytes));
    encodeDead(body, { atMs: 1, id: 2, token: 3, previous: 4, cause: CAUSE.failed }, bytes);
    expect(decodeDead(body, true).error).toEqual({ class: 'A', message: 'm' });
    body.view.setUint8(body.offset + 32, 9);
    expect(() => decodeDead(body, true)).toThrow(RecordError);
  });

  it('RELEASE and REDRIVE come back with every field', () => {
    fc.assert(
      fc.property(reference, u64, name, name, (fields, runAtMs, actor, reason) => {
        const release = bodyOf(RELEASE_BODY_BYTES);
        encodeRelease(release, { ...fields, runAtMs });
        expectWithin(release);
        expect(decodeRelease(release)).toEqual({ ...fields, runAtMs });
        const { atMs, id, previous } = fields;
        const act = actBytes(actor, reason);
        const redrive = bodyOf(redriveBodyBytes(act));
        encodeRedrive(redrive, { atMs, id, previous }, act);
        expectWithin(redrive);
        expect(decodeRedrive(redrive)).toEqual({ atMs, id, previous, actor, reason });
      }),
    );
  });

  it('acts on many jobs come back with every field', () => {
    const kinds = fc.constantFrom(...Object.values(ACT_PARTS));
    const items = fc.uniqueArray(fc.record({ id: u64, previous: u64 }), { selector: ({ id }) => id });
    fc.assert(
      fc.property(
        kinds,
        items,
        u64,
        u32,
        name,
        name,
        name,
        name,
        (parts, given, atMs, priority, actor, reason, from, to) => {
          const act = parts.actor ? actBytes(actor, reason) : NO_ACTOR;
          const queues = queueBytes(from, to);
          const body = bodyOf(actBodyBytes(parts, act, given.length, queues));
          const writer = encodeActHead(body, parts, { atMs, priority, count: given.length }, act, queues);
          for (const { id, previous } of given) encodeActItem(writer, parts, id, previous);
          expectWithin(body);
          expect(decodeAct(body, parts)).toEqual({
            atMs,
            priority: parts.priority ? priority : 0,
            actor: parts.actor ? actor : '',
            reason: parts.actor ? reason : '',
            from: parts.queues ? from : '',
            to: parts.queues ? to : '',
            count: given.length,
            items: given.map(({ id, previous }) => ({ id, previous: parts.previous ? previous : 0 })),
          });
        },
      ),
    );
  });

  it('acts are refused when their length does not fit their count', () => {
    const parts = ACT_PARTS.cancel;
    const act = actBytes('olga', undefined);
    const body = bodyOf(actBodyBytes(parts, act, 2));
    encodeActItem(encodeActHead(body, parts, { atMs: 1, priority: 0, count: 3 }, act), parts, 1, 2);
    expect(() => decodeAct(body, parts)).toThrow(/speaks of 3 jobs/);
  });

  it('PAUSE and RESUME come back with every field', () => {
    fc.assert(
      fc.property(u64, u64, u64, name, name, name, (atMs, sinceMs, untilMs, queue, actor, reason) => {
        const queueBytes = Buffer.from(queue);
        const act = actBytes(actor, reason);
        const pause = bodyOf(pauseBodyBytes(queueBytes, act));
        encodePause(pause, { atMs, sinceMs, untilMs }, queueBytes, act);
        expectWithin(pause);
        expect(decodePause(pause)).toEqual({ atMs, sinceMs, untilMs, queue, actor, reason });
        const resume = bodyOf(resumeBodyBytes(queueBytes, act));
        encodeResume(resume, atMs, queueBytes, act);
        expectWithin(resume);
        expect(decodeResume(resume)).toEqual({ atMs, queue, actor, reason });
      }),
    );
  });

  it('options of ENQUEUE come back, and the payload behind them', () => {
    fc.assert(
      fc.property(
        shape,
        fc.maxSafeNat().filter((n) => n < Number.MAX_SAFE_INTEGER),
        name,
        name,
        payload,
        fc.dictionary(name, name, { maxKeys: 3 }),
        (fields, number, actor, reason, given, headers) => {
          const { template } = new ShapeTable(new JobColumns(), keeping(1)).intern(fields);
          const written = {
            id: 1,
            enqueuedAtMs: 2,
            runAtMs: 3,
            priority: 4,
            payloadBytes: payloadLength(given),
            expiresAtMs: 0,
          };
          const origin = encodeCloneOrigin(number, actBytes(actor, reason));
          const extras = { timeoutMs: number % 2 ** 32, headers };
          const dedupe = { key: actor, forMs: number };
          const options = joined([encodeExpiry(number + 1), encodeDedupe(dedupe), encodeExtras(extras), origin]);
          const body = bodyOf(enqueueBodyBytes(template, written.payloadBytes, options));
          encodeEnqueue(body, written, template, given, options);
          expectWithin(body);
          const read = { id: 0, enqueuedAtMs: 0, runAtMs: 0, priority: 0, payloadBytes: 0, expiresAtMs: 0 };
          decodeEnqueue(body, namesEnd(body), read);
          expect(read).toEqual({ ...written, expiresAtMs: number + 1, dedupe });
          expect(decodeCloneOrigin(body)).toEqual({ id: number, actor, reason });
          expect(decodeExtras(body)).toEqual({ ...extras, headers: { ...headers } });
          expect(decodePayload(body)).toEqual(given);
        },
      ),
    );
  });

  it('are refused when a number is beyond 2^53', () => {
    const body = bodyOf(RELEASE_BODY_BYTES);
    encodeRelease(body, { atMs: 1, id: 2, token: 3, previous: 4, runAtMs: 5 });
    body.view.setUint8(body.offset + 7, 1);
    expect(() => decodeRelease(body)).toThrow(/beyond 2\^53/);
  });
});

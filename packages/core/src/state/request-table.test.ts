import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  decodeRemembered,
  encodeRequests,
  type Request,
  requestBytes,
  requestsBodyBytes,
} from './remembered-record.js';
import { RequestTable } from './request-table.js';
import { SegmentBytes } from './segment-bytes.js';

const DAY_MS = 24 * 3_600_000;
const SEGMENT = 2 ** 32;

function request(order: number, { id = `r${order}`, atMs = order, jobs = 1 } = {}): Request {
  return { id, fingerprint: '0'.repeat(32), atMs, order, answer: { firstId: order, scheduled: new Uint8Array(jobs) } };
}

describe('RequestTable', () => {
  it('forgets the oldest beyond a number of requests and a number of jobs', () => {
    const table = new RequestTable({ requests: 3, jobs: 10 });
    const known = () => [1, 2, 3, 4, 5, 6].filter((order) => table.find(`r${order}`, 10) !== undefined);
    for (const order of [1, 2, 3, 4]) table.remember(request(order), order);
    expect(known()).toEqual([2, 3, 4]);
    table.remember(request(5, { jobs: 9 }), 5);
    expect(known()).toEqual([4, 5]);
    table.remember(request(6, { jobs: 10 }), 6);
    expect(known()).toEqual([6]);
  });

  it('lets an id go after a day, and takes it anew', () => {
    const table = new RequestTable();
    table.remember(request(1, { id: 'a', atMs: 5 }), 1);
    expect(table.find('a', 5 + DAY_MS - 1)?.order).toBe(1);
    expect(table.find('a', 5 + DAY_MS)).toBeUndefined();
    table.remember(request(2, { id: 'a', atMs: 5 + DAY_MS }), 2);
    expect(table.find('a', 5 + DAY_MS)?.order).toBe(2);
    expect(table.size).toBe(1);
  });

  it('gives those of a segment once, to be written again', () => {
    const table = new RequestTable();
    for (const order of [1, 2, 3]) table.remember(request(order), order * SEGMENT);
    const pieces: number[][] = [];
    for (const requests of table.in(2, 10, 2)) {
      pieces.push(requests.map(({ order }) => order));
      table.moved(requests, 3 * SEGMENT);
      // Made meanwhile, so in a later segment.
      if (pieces.length === 1) table.remember(request(4), 4 * SEGMENT);
    }
    expect(pieces).toEqual([[1, 2], [], []]);
    expect([...table.in(2, 10, 10)]).toEqual([[]]);
  });

  it('gives up those that are over instead of having them written again, once no clock that is set brings them back', () => {
    const facts = new SegmentBytes();
    const table = new RequestTable(undefined, facts);
    for (const order of [1, 2, 3]) table.remember(request(order, { atMs: order * 60_000 }), order * SEGMENT);
    const HOUR_MS = 3_600_000;
    const said = (nowMs: number) => [...table.in(2, nowMs, 10)].flat().map(({ order }) => order);
    expect(said(60_000 + DAY_MS + HOUR_MS - 1)).toEqual([1, 2]);
    expect(said(60_000 + DAY_MS + HOUR_MS)).toEqual([2]);
    expect([facts.of(1), facts.of(2)]).toEqual([0, requestBytes(request(2))]);
    // In a later segment: nothing is asked of it yet.
    expect(said(3 * DAY_MS)).toEqual([]);
    expect(table.size).toBe(1);
  });

  it('counts what it knows where that is said last', () => {
    const facts = new SegmentBytes();
    const table = new RequestTable({ requests: 3, jobs: 100 }, facts);
    const bytes = requestBytes(request(1));
    for (const order of [1, 2, 3, 4]) table.remember(request(order), order * SEGMENT);
    table.remember(request(5, { id: 'r2' }), 5 * SEGMENT);
    expect([1, 2, 3, 4, 5].map((segment) => facts.of(segment))).toEqual([0, 0, bytes, bytes, bytes]);
    for (const requests of table.in(4, 10, 10)) table.moved(requests, 6 * SEGMENT);
    expect([3, 4, 5, 6].map((segment) => facts.of(segment))).toEqual([0, 0, bytes, 2 * bytes]);
    expect(facts.total).toBe(3 * bytes);
  });

  it('knows the same after a replay, whichever records were written again and in whatever order they are found', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 4 })), fc.array(fc.nat({ max: 50 })), (made, again) => {
        const bounds = { requests: 4, jobs: 9 };
        const live = new RequestTable(bounds);
        const requests = made.map((jobs, index) => request(index + 1, { jobs }));
        for (const one of requests) live.remember(one, one.order);
        const replayed = new RequestTable(bounds);
        for (const one of requests) replayed.restore(one, one.order);
        for (const pick of again) {
          const one = requests[pick % Math.max(1, requests.length)];
          const isKnown = one !== undefined && live.find(one.id, 100) !== undefined;
          // Only what is still known is written again.
          if (isKnown) replayed.restore(one, 1000 + pick);
        }
        replayed.settle();
        for (const { id } of requests) expect(replayed.find(id, 100)).toEqual(live.find(id, 100));
      }),
    );
  });

  it('comes back with an answer of its own for each job', () => {
    const each = { ids: Float64Array.of(7, 2 ** 40), states: Uint8Array.of(1, 3), outcomes: Uint8Array.of(0, 1) };
    const one = { ...request(1), answer: { firstId: 0, scheduled: new Uint8Array(0), each } };
    const buffer = new Uint8Array(requestsBodyBytes([one]));
    const body = { buffer, view: new DataView(buffer.buffer), offset: 0, bodyBytes: buffer.length };
    encodeRequests(body, [one]);
    expect(decodeRemembered(body, 7).requests).toEqual([one]);
  });

  it('comes back from its record', () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.string({ maxLength: 60 }), fc.uint8Array({ max: 1, minLength: 1 }), fc.nat())),
        (given) => {
          const requests = given.map(([id, scheduled, number], index) => ({
            ...{ id, fingerprint: 'ab'.repeat(16), atMs: number, order: index + 1 },
            answer: { firstId: number, scheduled },
          }));
          const buffer = new Uint8Array(requestsBodyBytes(requests));
          const body = { buffer, view: new DataView(buffer.buffer), offset: 0, bodyBytes: buffer.length };
          encodeRequests(body, requests);
          expect(decodeRemembered(body, 7)).toEqual({ requests, windows: [] });
        },
      ),
    );
  });
});

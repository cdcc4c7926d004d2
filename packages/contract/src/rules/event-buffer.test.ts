import { describe, expect, it } from 'vitest';
import { CursorInvalidError, InvalidArgumentError } from '../errors.js';
import type { EventsRequest } from '../store-event.js';
import { checkedEvents, EventBuffer } from './event-buffer.js';

function filled(count: number, kept = 10, run = 1): EventBuffer {
  const buffer = new EventBuffer(run, kept);
  for (let number = 1; number <= count; number++) {
    buffer.record({ kind: number % 2 === 0 ? 'paused' : 'resumed', queue: String(number), actor: 'olga' }, number);
  }
  return buffer;
}

/** Numbers of the events, 0 for a gap. */
function seen(buffer: EventBuffer, request: EventsRequest, limit = 100): number[] {
  return buffer.read(request, limit, 0).events.map((event) => ('queue' in event ? Number(event.queue) : 0));
}

const START = '000001.00000000000';

describe('EventBuffer', () => {
  it('goes on behind a cursor, a page at a time', () => {
    const buffer = filled(5);
    expect(seen(buffer, {})).toEqual([]);
    const first = buffer.read({ after: START }, 3, 0);
    expect(first.events).toHaveLength(3);
    expect(first.cursor).toBe(first.events[2]!.cursor);
    expect(seen(buffer, { after: first.cursor })).toEqual([4, 5]);
    expect(seen(buffer, { after: buffer.cursor })).toEqual([]);
  });

  it('moves on past the kinds that are not wanted', () => {
    const buffer = filled(5);
    const { events, cursor } = buffer.read({ after: START, kinds: ['paused'] }, 100, 0);
    expect(events.map(({ kind }) => kind)).toEqual(['paused', 'paused']);
    expect(cursor).toBe(buffer.cursor);
  });

  it('tells a gap where events were dropped, once', () => {
    const buffer = filled(15);
    expect(seen(buffer, { after: START })).toEqual([0, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15]);
    const { events } = buffer.read({ after: START }, 100, 77);
    expect(events[0]).toEqual({ kind: 'gap', cursor: '000001.00000000005', atMs: 77 });
    expect(seen(buffer, { after: events[0]!.cursor })[0]).toBe(6);
  });

  it('tells a gap to who comes from another run, from what is to come, or from before an interruption', () => {
    const buffer = filled(3, 10, 2);
    expect(seen(buffer, { after: '000001.00000000002' })).toEqual([0, 1, 2, 3]);
    expect(seen(buffer, { after: '000002.00000000009' })).toEqual([0, 1, 2, 3]);
    const before = buffer.cursor;
    buffer.interrupt();
    expect(seen(buffer, {})).toEqual([]);
    buffer.record({ kind: 'enqueued', queue: '9', count: 1 }, 0);
    expect(seen(buffer, { after: before })).toEqual([0, 9]);
  });

  it('has cursors that grow as text', () => {
    const buffer = filled(300, 1000);
    const cursors = buffer.read({ after: START }, 1000, 0).events.map(({ cursor }) => cursor);
    expect(cursors).toEqual(cursors.toSorted());
    expect(new Set(cursors).size).toBe(300);
  });
});

describe('a request for events', () => {
  it('is refused with a cursor that is none, or a kind that is none', () => {
    expect(() => checkedEvents({ after: 'x' })).toThrow(CursorInvalidError);
    expect(() => checkedEvents({ kinds: ['done'] as never })).toThrow(InvalidArgumentError);
    expect(() => checkedEvents({ kinds: ['gap'] as never })).toThrow(InvalidArgumentError);
    expect(checkedEvents({ after: START, kinds: ['dead'] })).toEqual({ after: START, kinds: ['dead'] });
  });
});

import type { StoreEvent } from '@holdfast/contract';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { EventFeed } from './event-feed.js';
import { JobNames } from './job-names.js';
import type { EventRow, SqlDatabase } from './statements.js';

const NAMES = new JobNames('0'.repeat(32), 'a test');
const EVERYTHING = {};

beforeEach(() => {
  vi.useFakeTimers();
});

afterEach(() => {
  vi.useRealTimers();
});

/** The table of events. */
class EventTable implements SqlDatabase {
  isDown = false;
  questions = 0;
  readonly #rows: EventRow[] = [];

  pause(queue: string): void {
    const nothing = { number: null, name: null, attempt: null, worker: null, error_class: null, error_message: null };
    const id = this.#rows.length + 1;
    this.#rows.push({ id, at_ms: Date.now(), kind: 'paused', queue, ...nothing, actor: 'olga', count: null });
  }

  async run(name: string, values: readonly unknown[]): Promise<never[]> {
    this.questions++;
    if (this.isDown) throw new Error('nobody answers');
    return this.#answer(name, values) as never[];
  }

  async transaction<Answer>(): Promise<Answer> {
    throw new Error('Nothing here is done in several steps.');
  }

  #answer(name: string, values: readonly unknown[]): readonly object[] {
    if (name === 'lastEvent') return [{ id: this.#rows.length }];
    if (name !== 'events') return [];
    const [after, seen] = values as [number, number[]];
    return this.#rows.filter(({ id }) => id > after && !seen.includes(id));
  }
}

function listening(signal?: AbortSignal) {
  const table = new EventTable();
  const feed = new EventFeed(table, NAMES, 1);
  const events = feed.listen(EVERYTHING, signal);
  return { table, feed, events };
}

/** Those that have come, as a list that grows. */
function told(events: AsyncIterable<StoreEvent>): readonly string[] {
  const kinds: string[] = [];
  void (async () => {
    for await (const event of events) kinds.push('queue' in event ? `${event.kind} ${event.queue}` : event.kind);
  })();
  return kinds;
}

/** Questions to the database within a minute, long after a listener has left. */
async function questionsLater(table: EventTable): Promise<number> {
  await vi.advanceTimersByTimeAsync(120_000);
  table.questions = 0;
  await vi.advanceTimersByTimeAsync(60_000);
  return table.questions;
}

it('asks for events as long as somebody listens, from the call on', async () => {
  const { table, feed, events } = listening();
  await vi.advanceTimersByTimeAsync(1000);
  table.pause('mail');
  const kinds = told(events);
  await vi.advanceTimersByTimeAsync(1000);
  expect(kinds).toEqual(['paused mail']);
  expect(await questionsLater(table)).toBeGreaterThan(100);
  feed.end();
});

it('asks for nothing after a listener that left before it asked for an event', async () => {
  const { table, feed, events } = listening();
  await events.return?.();
  expect(await questionsLater(table)).toBe(0);
  feed.end();
});

it('asks for nothing after a listener whose signal came before it asked for an event', async () => {
  const stop = new AbortController();
  const { table, feed } = listening(stop.signal);
  stop.abort();
  expect(await questionsLater(table)).toBe(0);
  feed.end();
});

it('lets a listener leave that waits for an event', async () => {
  const { table, feed, events } = listening();
  const next = events.next();
  await vi.advanceTimersByTimeAsync(1000);
  await events.return?.();
  expect(await next).toEqual({ done: true, value: undefined });
  expect(await questionsLater(table)).toBe(0);
  feed.end();
});

it('tells a gap, and nothing of before, where the database did not answer when somebody began to listen', async () => {
  const table = new EventTable();
  table.pause('before');
  table.isDown = true;
  const feed = new EventFeed(table, NAMES, 1);
  const kinds = told(feed.listen(EVERYTHING, undefined));
  await vi.advanceTimersByTimeAsync(1000);
  table.isDown = false;
  await vi.advanceTimersByTimeAsync(1000);
  table.pause('mail');
  await vi.advanceTimersByTimeAsync(1000);
  expect(kinds).toEqual(['gap', 'paused mail']);
  feed.end();
});

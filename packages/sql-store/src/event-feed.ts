import type { StoreEvent, StoreHappening } from '@holdfast/contract';
import { type CheckedEvents, EventBuffer, Listening, STORE_LIMITS } from '@holdfast/contract/rules';
import type { JobNames } from './job-names.js';
import type { EventRow, SqlDatabase } from './statements.js';

const PAGE_EVENTS_MAX = 500;
const READ_EVENTS_MAX = 10_000;
const POLL_MS = 250;
/** After the last listener, for one who comes back. */
const LINGER_MS = 60_000;
/** How long what is written counts as listened to, unless it is said again. */
const LISTENING_MS = 120_000;
/** An event may be committed after one with a greater number: for so long it is looked for. */
const LATE_MS = 5000;
const RUNS_MAX = 0xffffff;

/**
 * Events of all processes, read from the table while somebody listens here. Each process numbers them for itself: who goes on at another one is
 * told a gap.
 */
export class EventFeed {
  readonly #database: SqlDatabase;
  readonly #names: JobNames;
  readonly #buffer: EventBuffer;
  /** Events up to this one are not asked for any more. */
  #floor = 0;
  /** Those above that were read, and when. */
  readonly #seen = new Map<number, number>();
  #listeners = 0;
  #lastLeftAtMs = 0;
  #ended = false;
  /** It is known what was written before somebody listened. */
  #hasBegun = false;
  #started: Promise<void> | undefined;
  #reading: Promise<void> | undefined;
  #poll: NodeJS.Timeout | undefined;
  #waiting: (() => void)[] = [];

  constructor(database: SqlDatabase, names: JobNames, processId: number) {
    this.#database = database;
    this.#names = names;
    this.#buffer = new EventBuffer(processId % RUNS_MAX, STORE_LIMITS.eventsKept);
  }

  /** Calls that are made after somebody began to listen wait until what they do is written down. */
  get ready(): Promise<void> | undefined {
    return this.#started;
  }

  /** From this call on, not from the first `next`. */
  listen(request: CheckedEvents, signal: AbortSignal | undefined): AsyncIterableIterator<StoreEvent> {
    const { after = this.#buffer.cursor } = request;
    this.#listeners++;
    const listening = new Listening(signal, () => this.#left());
    if (this.#poll === undefined) this.#start();
    return listening.over(this.#follow({ ...request, after }, listening));
  }

  end(): void {
    this.#ended = true;
    clearInterval(this.#poll);
    this.#wake();
  }

  async *#follow(request: CheckedEvents, listening: Listening): AsyncGenerator<StoreEvent, undefined> {
    try {
      await this.#started;
      // One that is under way may have begun before what was written until now.
      await this.#reading;
      await this.#read();
      for (let after = request.after; !this.#ended && !listening.isOver; ) {
        const { events, cursor } = this.#buffer.read({ ...request, after: after! }, PAGE_EVENTS_MAX, Date.now());
        after = cursor;
        for (const event of events) {
          if (listening.isOver) return;
          yield event;
        }
        if (events.length === 0) await new Promise<void>((resolve) => this.#waiting.push(resolve));
      }
    } finally {
      listening.end();
    }
  }

  #left(): void {
    this.#listeners--;
    this.#lastLeftAtMs = performance.now();
    this.#wake();
  }

  #start(): void {
    this.#poll = setInterval(() => void this.#read(), POLL_MS);
    this.#hasBegun = false;
    this.#started = this.#begin().catch(() => {});
    void this.#started.then(() => {
      this.#started = undefined;
    });
  }

  async #begin(): Promise<void> {
    await this.#database.run('listenOn', [LISTENING_MS]);
    const [last] = await this.#database.run('lastEvent', []);
    this.#floor = last?.id ?? 0;
    this.#seen.clear();
    this.#hasBegun = true;
  }

  /** What happened since they began to listen cannot be told from what was before. */
  async #beginLate(): Promise<void> {
    await this.#begin();
    this.#buffer.interrupt();
  }

  /** While the database cannot be reached nothing is told; what was written meanwhile is told then. */
  #read(): Promise<void> {
    this.#reading ??= this.#readNew()
      .catch(() => {})
      .finally(() => {
        this.#reading = undefined;
      });
    return this.#reading;
  }

  async #readNew(): Promise<void> {
    if (this.#listeners === 0 && performance.now() - this.#lastLeftAtMs > LINGER_MS) return this.#stop();
    await this.#started;
    if (!this.#hasBegun) await this.#beginLate();
    await this.#database.run('listenOn', [LISTENING_MS]);
    for (let rows = READ_EVENTS_MAX; rows === READ_EVENTS_MAX; ) {
      const events = await this.#database.run('events', [this.#floor, [...this.#seen.keys()], READ_EVENTS_MAX]);
      for (const event of events) this.#note(event);
      rows = events.length;
    }
    this.#raiseFloor();
    this.#wake();
  }

  #note(row: EventRow): void {
    this.#seen.set(row.id, performance.now());
    this.#buffer.record(this.#happening(row), row.at_ms);
  }

  #raiseFloor(): void {
    for (const [id, atMs] of this.#seen) {
      if (performance.now() - atMs < LATE_MS) return;
      this.#seen.delete(id);
      this.#floor = Math.max(this.#floor, id);
    }
  }

  #stop(): void {
    clearInterval(this.#poll);
    this.#poll = undefined;
    this.#buffer.interrupt();
  }

  #happening(row: EventRow): StoreHappening {
    const { count, attempt } = row;
    const kind = row.kind as Exclude<StoreHappening['kind'], 'gap'>;
    const queue = row.queue;
    if (kind === 'enqueued') return { kind, queue, count: count ?? 0 };
    if (kind === 'paused' || kind === 'resumed') return { kind, queue, actor: row.actor ?? '' };
    const facts = { id: this.#names.id(row.number ?? 0), queue, name: row.name ?? '' };
    if (kind === 'leaseExpired') return { kind, ...facts, attempt: attempt ?? 0, worker: row.worker ?? '' };
    if (kind !== 'retried' && kind !== 'dead') return { kind, ...facts };
    const error = { class: row.error_class ?? '', message: row.error_message ?? '' };
    return { kind, ...facts, attempt: attempt ?? 0, error };
  }

  #wake(): void {
    for (const wake of this.#waiting.splice(0)) wake();
  }
}

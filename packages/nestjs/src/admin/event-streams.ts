import { randomBytes } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import type { BulkOperationAnswer, Clock, JobStore, ServerSentEvent } from '@holdfast/contract';
import { type BeforeApplicationShutdown, Inject, Injectable } from '@nestjs/common';
import { HOLDFAST_STORE } from '../holdfast.tokens.js';
import { ADMIN_CLOCK } from './admin-clock.js';
import { BulkOperations, isOver } from './bulk-operations.js';
import { overviewText, QueueLooks } from './queue-looks.js';
import { Refusal } from './refusal.js';

const TICK_MS = 1000;
const PING_MS = 15_000;
/** A stream ends after so long, so that `authorize` is asked again; who listens comes back by itself. */
const STREAM_MS_MAX = 15 * 60_000;
const STREAMS_MAX = 100;
const STREAMS_OF_ONE_MAX = 10;
/** Events that are sent again to those who come back. */
const KEPT = 100;
/** A stream that takes nothing any more. */
const UNSENT_BYTES_MAX = 1024 * 1024;

interface Listener {
  readonly actor: string;
  readonly response: ServerResponse;
  readonly untilMs: number;
  pingAtMs: number;
}

type Told = Exclude<ServerSentEvent['event'], 'hello' | 'resync'>;

/**
 * One look a second at the store's counters for all who listen together, and none without listeners; what changed is told to all. Counters
 * and not the store's own events, because recording those would cost every job something.
 */
@Injectable()
export class EventStreams implements BeforeApplicationShutdown {
  readonly #store: JobStore;
  readonly #looks: QueueLooks;
  readonly #operations: BulkOperations;
  readonly #clock: Pick<Clock, 'now'>;
  readonly #run = randomBytes(4).toString('hex');
  readonly #listeners = new Set<Listener>();
  readonly #told: { readonly number: number; readonly bytes: Buffer }[] = [];
  #number = 0;
  #lastCounts = '';
  readonly #lastOperations = new Map<string, string>();
  #timer: NodeJS.Timeout | undefined;
  #isLooking = false;
  #isEnding = false;

  constructor(
    @Inject(HOLDFAST_STORE) store: JobStore,
    looks: QueueLooks,
    operations: BulkOperations,
    @Inject(ADMIN_CLOCK) clock: Pick<Clock, 'now'>,
  ) {
    this.#store = store;
    this.#looks = looks;
    this.#operations = operations;
    this.#clock = clock;
  }

  /** @throws Refusal where too many listen already */
  admit(actor: string): void {
    const own = [...this.#listeners].filter((listener) => listener.actor === actor).length;
    if (this.#listeners.size < STREAMS_MAX && own < STREAMS_OF_ONE_MAX) return;
    throw new Refusal(429, 'TOO_MANY_STREAMS', 'Too many pages listen already. This one can ask now and then instead.');
  }

  /** Tells a listener what comes, and first what it missed since the event that it saw last. */
  open(actor: string, response: ServerResponse, lastEventId: string | undefined): void {
    // Gone while `authorize` was asked: it would never say so again, and keep the place of somebody else.
    if (response.destroyed) return;
    // Workers may have minutes of work left, and pages come back in seconds: the server would wait for them.
    if (this.#isEnding) return void response.end();
    const nowMs = performance.now();
    const listener = { actor, response, untilMs: nowMs + STREAM_MS_MAX, pingAtMs: nowMs + PING_MS };
    this.#listeners.add(listener);
    response.on('close', () => this.#drop(listener));
    const missed = this.#missed(lastEventId);
    const serverTimeMs = this.#clock.now();
    const hello = JSON.stringify({ serverTimeMs, resumed: missed !== undefined });
    response.write(this.#text('hello', hello, this.#number - (missed?.length ?? 0)));
    if (missed === undefined && lastEventId !== undefined) {
      response.write(this.#text('resync', JSON.stringify({ serverTimeMs }), this.#number));
    }
    for (const { bytes } of missed ?? []) response.write(bytes);
    this.#timer ??= setInterval(() => void this.#tick(), TICK_MS).unref();
  }

  beforeApplicationShutdown(): void {
    this.#isEnding = true;
    for (const listener of [...this.#listeners]) this.#drop(listener);
  }

  #missed(lastEventId: string | undefined): { readonly bytes: Buffer }[] | undefined {
    const [run, number] = lastEventId?.split('-') ?? [];
    const last = Number(number);
    const first = this.#told[0]?.number ?? this.#number + 1;
    if (run !== this.#run || !Number.isInteger(last) || last < first - 1 || last > this.#number) return undefined;
    return this.#told.filter((told) => told.number > last);
  }

  async #tick(): Promise<void> {
    const nowMs = performance.now();
    for (const listener of [...this.#listeners]) this.#keepAlive(listener, nowMs);
    if (this.#isLooking || this.#listeners.size === 0) return;
    this.#isLooking = true;
    try {
      await this.#look();
    } catch {
      // A store that does not answer is told by its health, with the next look or the next request.
    } finally {
      this.#isLooking = false;
    }
  }

  async #look(): Promise<void> {
    const { shown, json } = await this.#looks.fresh();
    const health = this.#store.health();
    const serverTimeMs = this.#clock.now();
    const counts = JSON.stringify([
      health,
      shown.queues.map(({ name, counts: by, retrying, paused }) => [name, by, retrying, paused]),
    ]);
    if (counts !== this.#lastCounts) {
      this.#lastCounts = counts;
      this.#tell('counts', overviewText(serverTimeMs, health, json));
    }
    if (!(await this.#operations.hasRuns()) && this.#lastOperations.size === 0) return;
    for (const operation of await this.#operations.list()) {
      const text = JSON.stringify(operation);
      const isNews = this.#lastOperations.get(operation.id) !== text;
      if (isNews && (!isOver(operation) || this.#lastOperations.has(operation.id))) {
        this.#tell('operation', JSON.stringify({ serverTimeMs, operation } satisfies BulkOperationAnswer));
      }
      if (isOver(operation)) this.#lastOperations.delete(operation.id);
      else this.#lastOperations.set(operation.id, text);
    }
  }

  #tell(event: Told, data: string): void {
    // Made into bytes once: as text it would be, again for each who listens.
    const bytes = Buffer.from(this.#text(event, data, ++this.#number));
    this.#told.push({ number: this.#number, bytes });
    if (this.#told.length > KEPT) this.#told.shift();
    for (const { response } of this.#listeners) response.write(bytes);
  }

  /** @param data JSON, which has no line break */
  #text(event: ServerSentEvent['event'], data: string, number: number): string {
    return `event: ${event}\nid: ${this.#run}-${number}\ndata: ${data}\n\n`;
  }

  #keepAlive(listener: Listener, nowMs: number): void {
    if (listener.response.writableLength > UNSENT_BYTES_MAX) {
      this.#drop(listener);
      // It would keep what is unsent in memory, and its connection, for as long as it takes nothing.
      listener.response.destroy();
    } else if (nowMs > listener.untilMs) this.#drop(listener);
    else if (nowMs >= listener.pingAtMs) {
      listener.pingAtMs = nowMs + PING_MS;
      listener.response.write(': ping\n\n');
    }
  }

  #drop(listener: Listener): void {
    if (!this.#listeners.delete(listener)) return;
    listener.response.end();
    if (this.#listeners.size > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }
}

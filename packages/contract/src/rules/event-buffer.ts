import { CursorInvalidError, InvalidArgumentError } from '../errors.js';
import type { EventsRequest, StoreEvent, StoreEventKind, StoreHappening } from '../store-event.js';

/** Without `gap`: every kind that can be asked for. */
const KINDS: ReadonlySet<string> = new Set<Exclude<StoreEventKind, 'gap'>>([
  'enqueued',
  'completed',
  'cancelled',
  'redriven',
  'removed',
  'retried',
  'dead',
  'leaseExpired',
  'paused',
  'resumed',
]);
const RUN_DIGITS = 6;
const NUMBER_DIGITS = 11;
const CURSOR = /^[0-9a-f]{6}\.[0-9a-f]{11}$/;

export type CheckedEvents = Pick<EventsRequest, 'after' | 'kinds'>;

/** @throws InvalidArgumentError, CursorInvalidError */
export function checkedEvents({ after, kinds, signal }: EventsRequest): CheckedEvents {
  if (after !== undefined && (typeof after !== 'string' || !CURSOR.test(after))) throw new CursorInvalidError();
  if (kinds !== undefined && !(Array.isArray(kinds) && kinds.every((kind) => KINDS.has(kind)))) {
    throw new InvalidArgumentError('events.kinds', kinds, `an array of ${[...KINDS].join(', ')}`);
  }
  if (signal !== undefined && !(signal instanceof AbortSignal)) {
    throw new InvalidArgumentError('events.signal', signal, 'an AbortSignal');
  }
  return { ...(after === undefined ? {} : { after }), ...(kinds === undefined ? {} : { kinds: [...kinds] }) };
}

/** Events of a store and the place behind them. */
export interface EventsPage {
  readonly events: readonly StoreEvent[];
  /** Where to go on. */
  readonly cursor: string;
}

/** The last events of one run of a store. What a reader has missed is told as a gap. */
export class EventBuffer {
  readonly #run: string;
  readonly #kept: number;
  readonly #events: StoreEvent[] = [];
  /** Of the last event. */
  #number = 0;
  /** Events up to this one are not kept. */
  #gone = 0;

  /** @param run greater than that of every run before it */
  constructor(run: number, kept: number) {
    this.#run = run.toString(16).padStart(RUN_DIGITS, '0');
    this.#kept = kept;
  }

  /** Of the last event. */
  get cursor(): string {
    return this.#cursorOf(this.#number);
  }

  record(happening: StoreHappening, atMs: number): void {
    const number = ++this.#number;
    this.#events[number % this.#kept] = { ...happening, cursor: this.#cursorOf(number), atMs };
    this.#gone = Math.max(this.#gone, number - this.#kept);
  }

  /** Nothing is recorded for a while from now on: whoever goes on later from before has missed something. */
  interrupt(): void {
    this.#gone = ++this.#number;
    this.#events.length = 0;
  }

  /** At most `limit` events after a place, those of some kinds if wanted. */
  read({ after = this.cursor, kinds }: CheckedEvents, limit: number, nowMs: number): EventsPage {
    const events: StoreEvent[] = [];
    let number = after.startsWith(`${this.#run}.`) ? Number.parseInt(after.slice(RUN_DIGITS + 1), 16) : -1;
    if (number < this.#gone || number > this.#number) {
      number = this.#gone;
      events.push({ kind: 'gap', cursor: this.#cursorOf(number), atMs: nowMs });
    }
    for (; number < this.#number && events.length < limit; number++) {
      const event = this.#events[(number + 1) % this.#kept]!;
      if (event.kind === 'gap' || kinds === undefined || kinds.includes(event.kind)) events.push(event);
    }
    return { events, cursor: this.#cursorOf(number) };
  }

  #cursorOf(number: number): string {
    return `${this.#run}.${number.toString(16).padStart(NUMBER_DIGITS, '0')}`;
  }
}

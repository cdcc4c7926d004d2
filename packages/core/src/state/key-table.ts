import { NONE } from './job-columns.js';
import { STATE } from './job-state.js';
import { RecordError } from './record-body.js';
import { windowBytes } from './remembered-record.js';
import { SegmentBytes } from './segment-bytes.js';

/** What a job says about its key. */
export interface KeyFields {
  readonly key: string;
  /** For how long after it was accepted the key stays taken at least; 0: as long as the job is live. */
  readonly forMs: number;
}

interface KeyedFields {
  readonly id: number;
  readonly enqueuedAtMs: number;
  readonly dedupe?: KeyFields | undefined;
}

/** A live job that takes a key, or a completed one that is still in the table. */
interface Holder {
  readonly slot: number;
  readonly id: number;
  readonly entry: Entry;
  readonly untilMs: number;
}

/** A completed job that takes a key until its window is over. */
export interface Window {
  readonly queue: string;
  readonly key: string;
  readonly id: number;
  readonly untilMs: number;
}

interface Entry {
  readonly queue: string;
  readonly key: string;
  /** By id: the oldest first. */
  live: readonly Holder[];
  /** The location is 0 as long as the table knows the job. */
  done: { readonly window: Window; readonly location: number } | undefined;
}

/** Who takes a key: a live job, or a completed one in its window, which the table may not know any more. */
export interface Taken {
  readonly id: number;
  readonly slot: number;
  readonly state: number;
}

const WORD = 2 ** 32;
const SWEEP_MIN = 1024;
/** Keys that are looked at for each job that completes, so that no call waits for a walk over all of them. */
const SWEEP_AT_ONCE = 8;
/** A window that is over by this much stays so, however the clock is set. */
const CLOCK_SET_MS_MAX = 3_600_000;
const NO_HOLDERS: readonly Holder[] = [];

/**
 * Which jobs take the keys of their queues. Everything here follows from the records of the jobs that have a key; no other job is ever
 * looked up.
 */
export class KeyTable {
  readonly #states: { readonly state: Uint8Array };
  readonly #facts: SegmentBytes;
  readonly #queues = new Map<string, Map<string, Entry>>();
  readonly #holders = new Map<number, Holder>();
  /** By slot: 1 where the job is a holder. Empty until the first job has a key. */
  #marks = new Uint8Array(0);
  #windows = 0;
  #sweepAt = SWEEP_MIN;
  /** The keys that a sweep has still to look at. */
  #unswept: Iterator<Entry> | undefined;

  /** @param facts counts the windows of forgotten jobs where they are said */
  constructor(states: { readonly state: Uint8Array }, facts = new SegmentBytes()) {
    this.#states = states;
    this.#facts = facts;
  }

  /** Whether the job is live and takes its key, or has completed and took it once. */
  holds(slot: number): boolean {
    return slot < this.#marks.length && this.#marks[slot] === 1;
  }

  /** Whether the job takes its key now: another one may have taken it since the window of a completed one was over, or beside it. */
  takes(slot: number): boolean {
    if (!this.holds(slot)) return false;
    const { entry, id } = this.#holders.get(slot)!;
    return this.#states.state[slot] !== STATE.completed || entry.done?.window.id === id;
  }

  /** The key that a job takes. */
  keyOf(slot: number): string | undefined {
    return this.#holders.get(slot)?.entry.key;
  }

  /**
   * Who takes the key at this time: the youngest job that waits, else the youngest that is leased, else one that has completed.
   * @param isOver whether the job of a slot is only there because nobody has cancelled it yet
   */
  taken(queue: string, key: string, nowMs: number, isOver: (slot: number) => boolean): Taken | undefined {
    const entry = this.#queues.get(queue)?.get(key);
    if (entry === undefined) return undefined;
    const { state } = this.#states;
    const live = entry.live.filter(({ slot }) => !isOver(slot));
    const holder = live.findLast(({ slot }) => state[slot] !== STATE.leased) ?? live.at(-1);
    if (holder !== undefined) return { id: holder.id, slot: holder.slot, state: state[holder.slot]! };
    const window = entry.done?.window;
    if (window === undefined || window.untilMs <= nowMs) return undefined;
    return { id: window.id, slot: NONE, state: STATE.completed };
  }

  /** A live job takes its key. A window of the key is over then. @throws RecordError if it has none */
  take(slot: number, fields: KeyedFields, queue: string): void {
    this.hold(slot, fields, queue);
    this.#setDone(this.#holders.get(slot)!.entry, undefined);
  }

  /** As `take`, of a job that took its key before: the window of an older one, which was leased then, may stand since. */
  hold(slot: number, fields: KeyedFields, queue: string): void {
    const { key, id, untilMs } = windowOf(fields, queue);
    const entry = this.#entry(queue, key);
    const holder = { slot, id, entry, untilMs };
    entry.live = [...entry.live, holder].sort((one, other) => one.id - other.id);
    this.#holders.set(slot, holder);
    this.#mark(slot);
  }

  /** The job is dead, cancelled, removed or another one: it takes no key any more. */
  free(slot: number): void {
    if (!this.holds(slot)) return;
    const holder = this.#drop(slot);
    if (holder === undefined) return;
    const { entry, id } = holder;
    if (entry.done?.window.id === id) this.#setDone(entry, undefined);
    this.#tidy(entry);
  }

  /** The job has completed: it takes its key until its window is over. */
  completed(slot: number, atMs: number): void {
    if (!this.holds(slot)) return;
    const holder = this.#holders.get(slot);
    if (holder === undefined) return;
    const { entry, id, untilMs } = holder;
    if (untilMs <= atMs) {
      this.free(slot);
      return;
    }
    entry.live = entry.live.filter((other) => other !== holder);
    this.#setDone(entry, { window: { queue: entry.queue, key: entry.key, id, untilMs }, location: 0 });
    if (this.#unswept !== undefined || this.#windows > this.#sweepAt) this.#sweep(atMs);
  }

  /** The table forgets the job, whose last record is at this location. */
  forgotten(slot: number, location: number): void {
    if (!this.holds(slot)) return;
    const holder = this.#drop(slot);
    if (holder === undefined) return;
    const { entry, id } = holder;
    if (entry.done?.window.id === id) this.#setDone(entry, { window: entry.done.window, location });
    this.#tidy(entry);
  }

  /** Applies what a record says of a completed job, which the table knows (slot) or does not (NONE). */
  restore(window: Window, location: number, slot = NONE): void {
    const entry = this.#entry(window.queue, window.key);
    this.#setDone(entry, { window, location });
    if (slot === NONE) return;
    this.#holders.set(slot, { slot, id: window.id, entry, untilMs: window.untilMs });
    this.#mark(slot);
  }

  /** As `restore`, from the record of the job. @throws RecordError if it has no key */
  restoreFrom(fields: KeyedFields, queue: string, location: number, slot: number): void {
    this.restore(windowOf(fields, queue), location, slot);
  }

  /**
   * Windows of forgotten jobs that are said only in this segment or before it, in pieces for each of which so many keys were looked at.
   * Others may come and go meanwhile. Those that are over go.
   */
  *in(segment: number, nowMs: number, atOnce: number): Generator<readonly Window[]> {
    if (this.#windows === 0) return;
    let found: Window[] = [];
    let looked = 0;
    for (const entries of this.#queues.values()) {
      for (const entry of entries.values()) {
        const { done } = entry;
        const isSaid = isSaidBefore(done, segment);
        if (isSaid && isOver(done.window, nowMs)) this.#endWindow(entry);
        else if (isSaid) found.push(done.window);
        if (++looked % atOnce > 0) continue;
        yield found;
        found = [];
      }
    }
    yield found;
  }

  /** They are written again there. */
  moved(windows: readonly Window[], location: number): void {
    for (const { queue, key } of windows) {
      const entry = this.#queues.get(queue)?.get(key);
      if (entry?.done !== undefined) this.#setDone(entry, { window: entry.done.window, location });
    }
  }

  #entry(queue: string, key: string): Entry {
    let entries = this.#queues.get(queue);
    if (entries === undefined) {
      entries = new Map();
      this.#queues.set(queue, entries);
    }
    let entry = entries.get(key);
    if (entry === undefined) {
      entry = { queue, key, live: NO_HOLDERS, done: undefined };
      entries.set(key, entry);
    }
    return entry;
  }

  #setDone(entry: Entry, done: Entry['done']): void {
    const before = entry.done;
    this.#windows += (done === undefined ? 0 : 1) - (before === undefined ? 0 : 1);
    if (before !== undefined && before.location > 0) this.#facts.remove(before.location, windowBytes(before.window));
    if (done !== undefined && done.location > 0) this.#facts.add(done.location, windowBytes(done.window));
    entry.done = done;
  }

  #endWindow(entry: Entry): void {
    this.#setDone(entry, undefined);
    this.#tidy(entry);
  }

  #drop(slot: number): Holder | undefined {
    const holder = this.#holders.get(slot);
    if (holder === undefined) return undefined;
    this.#holders.delete(slot);
    this.#marks[slot] = 0;
    holder.entry.live = holder.entry.live.filter((other) => other !== holder);
    return holder;
  }

  /** A completed job still has its entry when all others of the key are gone. By then there may be a new one in its place. */
  #tidy(entry: Entry): void {
    const { queue, key, live, done } = entry;
    if (live.length > 0 || done !== undefined) return;
    const entries = this.#queues.get(queue);
    if (entries?.get(key) !== entry) return;
    entries.delete(key);
    if (entries.size === 0) this.#queues.delete(queue);
  }

  #mark(slot: number): void {
    if (slot >= this.#marks.length) {
      const marks = new Uint8Array(Math.max(1024, 2 * this.#marks.length, slot + 1));
      marks.set(this.#marks);
      this.#marks = marks;
    }
    this.#marks[slot] = 1;
  }

  /** Windows end by themselves; those of forgotten jobs cost memory until this has come to them. */
  #sweep(nowMs: number): void {
    this.#unswept ??= this.#entries();
    for (let looked = 0; looked < SWEEP_AT_ONCE; looked++) {
      const { value: entry, done: isAtEnd } = this.#unswept.next();
      if (isAtEnd) {
        this.#unswept = undefined;
        this.#sweepAt = Math.max(SWEEP_MIN, 2 * this.#windows);
        return;
      }
      const { done } = entry;
      if (done !== undefined && done.location !== 0 && isOver(done.window, nowMs)) this.#endWindow(entry);
    }
  }

  /** Keys may come and go meanwhile. */
  *#entries(): Generator<Entry, undefined> {
    for (const entries of this.#queues.values()) yield* entries.values();
  }
}

function windowOf({ id, enqueuedAtMs, dedupe }: KeyedFields, queue: string): Window {
  if (dedupe === undefined) throw new RecordError(`says that job ${id} takes a key, which it does not have`);
  const { key, forMs } = dedupe;
  return { queue, key, id, untilMs: forMs === 0 ? 0 : enqueuedAtMs + forMs };
}

/** A window of a job that the table does not know any more, whose last word lies in this segment or before it. */
function isSaidBefore(done: Entry['done'], segment: number): done is NonNullable<Entry['done']> {
  return done !== undefined && done.location !== 0 && Math.floor(done.location / WORD) <= segment;
}

function isOver({ untilMs }: Window, nowMs: number): boolean {
  return untilMs + CLOCK_SET_MS_MAX <= nowMs;
}

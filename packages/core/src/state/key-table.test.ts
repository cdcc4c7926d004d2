import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { NONE } from './job-columns.js';
import { STATE } from './job-state.js';
import { KeyTable, type Taken } from './key-table.js';
import { windowBytes } from './remembered-record.js';
import { SegmentBytes } from './segment-bytes.js';

const QUEUE = 'mail';
const KEYS = ['a', 'b'];
const SLOTS = 12;
const WORD = 2 ** 32;
const HOUR_MS = 3_600_000;

interface Job {
  readonly slot: number;
  readonly id: number;
  readonly key: string;
  readonly untilMs: number;
  state: number;
  /** It is the last one that has completed with this key, and nobody has taken the key since. */
  isLast: boolean;
  isForgotten: boolean;
}

/** Keys as docs/job-lifecycle.md describes them, with a look at all jobs each time. */
class NaiveKeys {
  readonly jobs: Job[] = [];

  of(key: string): Job[] {
    return this.jobs.filter((job) => job.key === key);
  }

  taken(key: string, nowMs: number): Taken | undefined {
    const live = this.of(key).filter(({ state }) => state === STATE.ready || state === STATE.leased);
    const holder = live.findLast(({ state }) => state === STATE.ready) ?? live.at(-1);
    if (holder !== undefined) return { id: holder.id, slot: holder.slot, state: holder.state };
    const last = this.of(key).find(({ isLast, untilMs }) => isLast && untilMs > nowMs);
    return last && { id: last.id, slot: NONE, state: STATE.completed };
  }

  last(key: string, job: Job | undefined): void {
    for (const other of this.of(key)) other.isLast = other === job;
  }
}

type Step = readonly [what: number, pick: number, forMs: number];

/** A table and what should be in it, through the same steps. */
class Twin {
  readonly state = new Uint8Array(SLOTS).fill(STATE.free);
  readonly facts = new SegmentBytes();
  readonly table = new KeyTable({ state: this.state }, this.facts);
  readonly naive = new NaiveKeys();
  nowMs = 1;
  #nextId = 1;

  step([what, pick, forMs]: Step): void {
    const job = this.#pick(pick);
    this.nowMs += pick;
    if (what < 4) this.#enqueue(KEYS[pick % KEYS.length]!, forMs);
    else if (job === undefined) return;
    else if (job.state === STATE.ready) this.#to(job, STATE.leased);
    else if (job.state === STATE.leased && what < 7) this.#complete(job);
    else if (job.state === STATE.leased) this.#end(job);
    else if (what < 9) this.#forget(job);
    else this.#end(job);
  }

  #pick(pick: number): Job | undefined {
    const known = this.naive.jobs.filter(({ state, isForgotten }) => state !== STATE.free && !isForgotten);
    return known[pick % Math.max(1, known.length)];
  }

  #to(job: Job, state: number): void {
    job.state = state;
    this.state[job.slot] = state;
  }

  #enqueue(key: string, forMs: number): void {
    const slot = this.state.indexOf(STATE.free);
    if (slot === -1) return;
    const id = this.#nextId++;
    const untilMs = forMs === 0 ? 0 : this.nowMs + forMs;
    const job: Job = { slot, id, key, untilMs, state: STATE.ready, isLast: false, isForgotten: false };
    this.table.take(slot, { id, enqueuedAtMs: this.nowMs, dedupe: { key, forMs } }, QUEUE);
    this.naive.jobs.push(job);
    this.naive.last(key, undefined);
    this.#to(job, STATE.ready);
  }

  #complete(job: Job): void {
    this.table.completed(job.slot, this.nowMs);
    if (job.untilMs > this.nowMs) this.naive.last(job.key, job);
    this.#to(job, STATE.completed);
  }

  /** It is dead, cancelled or removed. */
  #end(job: Job): void {
    this.table.free(job.slot);
    job.isLast = false;
    this.#to(job, STATE.free);
  }

  #forget(job: Job): void {
    this.table.forgotten(job.slot, WORD + job.id);
    job.isForgotten = true;
    this.state[job.slot] = STATE.free;
  }
}

describe('KeyTable', () => {
  it('knows who takes each key, whoever else had it before, and counts what it has to remember', () => {
    const step = fc.tuple(fc.nat({ max: 9 }), fc.nat({ max: 40 }), fc.constantFrom(0, 5, 50, 500));
    fc.assert(
      fc.property(fc.array(step, { maxLength: 80 }), (steps) => {
        const twin = new Twin();
        const { table, naive, facts } = twin;
        for (const one of steps) {
          twin.step(one);
          for (const key of KEYS) {
            expect(table.taken(QUEUE, key, twin.nowMs, () => false)).toEqual(naive.taken(key, twin.nowMs));
          }
          const known = naive.jobs.filter((job) => !job.isForgotten && job.state === STATE.completed);
          for (const { slot, isLast } of known) expect(table.takes(slot)).toBe(isLast);
          const remembered = naive.jobs.filter(({ isForgotten, isLast }) => isForgotten && isLast);
          const windows = remembered.map(({ key, id, untilMs }) => ({ queue: QUEUE, key, id, untilMs }));
          expect(facts.total).toBe(windows.reduce((sum, window) => sum + windowBytes(window), 0));
          expect(facts.of(1)).toBe(facts.total);
        }
        for (const windows of table.in(1, twin.nowMs, 1)) table.moved(windows, 2 * WORD);
        expect([facts.of(1), facts.of(2)]).toEqual([0, facts.total]);
        for (const windows of table.in(2, twin.nowMs + 2 * HOUR_MS, 1)) expect(windows).toEqual([]);
        expect(facts.total).toBe(0);
      }),
      { numRuns: 300 },
    );
  });

  it('gives up the windows of forgotten jobs when they are over, a few at each completion', () => {
    const state = new Uint8Array(1).fill(STATE.leased);
    const facts = new SegmentBytes();
    const table = new KeyTable({ state }, facts);
    const complete = (id: number, nowMs: number) => {
      table.take(0, { id, enqueuedAtMs: nowMs, dedupe: { key: `${1e6 + id}`, forMs: 1000 } }, QUEUE);
      table.completed(0, nowMs);
      table.forgotten(0, WORD);
    };
    const many = 5000;
    for (let id = 0; id < many; id++) complete(id, 1);
    const each = facts.total / many;
    const later = 10 * HOUR_MS;
    for (let id = many; id < 2 * many; id++) {
      const before = facts.total;
      complete(id, later);
      expect(before - facts.total).toBeLessThanOrEqual(8 * each);
    }
    expect(facts.total / each).toBe(many);
  });
});

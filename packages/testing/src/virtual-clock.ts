import type { Clock, TimerHandle } from '@holdfast/contract';
import { realTurn } from './real-time.js';

interface VirtualTimer extends TimerHandle {
  readonly atMs: number;
  readonly order: number;
  readonly call: () => void;
}

export interface VirtualClockOptions {
  /** What the wall clock shows at first, in epoch milliseconds. */
  readonly wallMs?: number;
}

const WALL_MS_DEFAULT = 1_700_000_000_000;

/**
 * Time that moves only when a test says so. Timers are called in order of their time, those of one time in the order in which they
 * were set. The wall clock can be set apart from the time that passes.
 */
export class VirtualClock implements Clock {
  #monotonicMs = 0;
  #wallOffsetMs: number;
  #timers: VirtualTimer[] = [];
  #order = 0;

  constructor(options: VirtualClockOptions = {}) {
    this.#wallOffsetMs = options.wallMs ?? WALL_MS_DEFAULT;
  }

  now(): number {
    return Math.floor(this.#wallOffsetMs + this.#monotonicMs);
  }

  monotonicMs(): number {
    return this.#monotonicMs;
  }

  setTimer(ms: number, call: () => void): TimerHandle {
    const timer: VirtualTimer = { atMs: this.#monotonicMs + Math.max(0, ms), order: this.#order++, call };
    this.#timers.push(timer);
    return timer;
  }

  clearTimer(timer: TimerHandle): void {
    this.#timers = this.#timers.filter((other) => other !== timer);
  }

  /** How many timers are set. */
  get timers(): number {
    return this.#timers.length;
  }

  /** Milliseconds until the next timer; Infinity without one. */
  get nextTimerMs(): number {
    return Math.min(Number.POSITIVE_INFINITY, ...this.#timers.map(({ atMs }) => atMs)) - this.#monotonicMs;
  }

  /** Lets time pass: calls what comes due on the way, and after each lets all promises go as far as they can. */
  async advance(ms: number): Promise<void> {
    const endMs = this.#monotonicMs + ms;
    await settled();
    while (this.#callNext(endMs)) await settled();
    this.#monotonicMs = endMs;
  }

  /** Lets time pass within one step of the test: calls what comes due on the way, and no promise goes on in between. */
  advanceNow(ms: number): void {
    const endMs = this.#monotonicMs + ms;
    while (this.#callNext(endMs));
    this.#monotonicMs = endMs;
  }

  /** Time passes and nothing runs, as if the thread were stopped. What came due is called by the next advance. */
  stall(ms: number): void {
    this.#monotonicMs += ms;
  }

  /** Somebody sets the wall clock forward, or back. */
  setWall(byMs: number): void {
    this.#wallOffsetMs += byMs;
  }

  /** A process ends, and its timers with it. */
  dropTimers(): void {
    this.#timers = [];
  }

  #callNext(endMs: number): boolean {
    const due = this.#timers.filter(({ atMs }) => atMs <= endMs);
    const next = due.sort((one, other) => one.atMs - other.atMs || one.order - other.order)[0];
    if (next === undefined) return false;
    this.clearTimer(next);
    this.#monotonicMs = Math.max(this.#monotonicMs, next.atMs);
    next.call();
    return true;
  }
}

/** Resolves when no promise can go further without time, a message or the disk. */
export function settled(): Promise<void> {
  return realTurn();
}

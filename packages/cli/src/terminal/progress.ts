import type { Writable } from 'node:stream';
import { bytesText, counted } from './figures.js';
import { visibleText } from './visible-text.js';

/** Work that is done sooner shows no progress. */
const SHOWN_AFTER_MS = 1000;
const REFRESH_MS = 200;
/** Looking at the clock costs more than counting. */
const CALLS_PER_LOOK = 64;
const CLEAR_LINE = '\r\u001b[K';

export interface ProgressSettings {
  /** Where to; `undefined` shows nothing. Some terminals do not know how wide they are. */
  readonly terminal: (Writable & { readonly columns?: number | undefined }) | undefined;
  monotonicMs(): number;
}

/** One line on a terminal that says how far a long work has come, and vanishes at its end. */
export class Progress {
  readonly #settings: ProgressSettings;
  readonly #startedMs: number;
  #nextMs: number;
  #calls = 0;
  #shown = false;

  constructor(settings: ProgressSettings) {
    this.#settings = settings;
    this.#startedMs = settings.monotonicMs();
    this.#nextMs = this.#startedMs + SHOWN_AFTER_MS;
  }

  report(doing: string, doneBytes: number, allBytes: number): void {
    this.#show(doing, doneBytes, allBytes, bytesText);
  }

  reportJobs(doing: string, done: number, all: number): void {
    this.#show(doing, done, all, (count) => counted(count, 'job'));
  }

  #show(doing: string, done: number, all: number, textOf: (amount: number) => string): void {
    const { terminal } = this.#settings;
    if (terminal === undefined || ++this.#calls % CALLS_PER_LOOK !== 0) return;
    const nowMs = this.#settings.monotonicMs();
    if (nowMs < this.#nextMs) return;
    this.#nextMs = nowMs + REFRESH_MS;
    const percent = all === 0 ? 100 : Math.floor((100 * done) / all);
    const text = `${doing}: ${textOf(done)} of ${textOf(all)} (${percent} %)`;
    // What a narrow terminal breaks over two lines can only be cleared in the second one. A cursor behind the last column may be in the next line.
    const room = terminal.columns ? terminal.columns - 1 : undefined;
    terminal.write(CLEAR_LINE + visibleText(text).slice(0, room));
    this.#shown = true;
  }

  clear(): void {
    if (this.#shown) this.#settings.terminal?.write(CLEAR_LINE);
    this.#shown = false;
  }
}

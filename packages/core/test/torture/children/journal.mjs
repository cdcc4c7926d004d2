import { openSync, writeSync } from 'node:fs';
import process from 'node:process';

/** @typedef {import('../history/history-event.js').HistoryEvent} HistoryEvent */

/** CLOCK_MONOTONIC: the same in all processes of this machine. */
export function monotonicMs() {
  const [seconds, nanoseconds] = process.hrtime();
  return seconds * 1000 + nanoseconds / 1e6;
}

/** Notes events outside the store's directory. What was noted survives this process: each line is one `write`. */
export class Journal {
  #file;
  #lines = 0;
  #endAtLine = Number.POSITIVE_INFINITY;
  /** @type {'kill' | 'exit'} */
  #endBy = 'kill';

  /** @param {string} path */
  constructor(path) {
    this.#file = openSync(path, 'a');
  }

  /** @param {HistoryEvent} event */
  note(event) {
    writeSync(this.#file, `${JSON.stringify(event)}\n`);
    this.#lines++;
    if (this.#lines < this.#endAtLine) return;
    // EXIT_UNCLOSED of machine/life-plan.ts.
    if (this.#endBy === 'exit') process.exit(7);
    process.kill(process.pid, 'SIGKILL');
  }

  /**
   * Ends this process right after it has noted so many lines more: between a note and what it is about.
   * @param {number} lines
   * @param {'kill' | 'exit'} by
   */
  endAfter(lines, by) {
    this.#endAtLine = this.#lines + lines;
    this.#endBy = by;
  }
}

import { appendFileSync, closeSync, existsSync, fstatSync, openSync, readSync } from 'node:fs';
import type { HistoryEvent, ProcessEnded } from '../history/history-event.js';

/** Follows the journal of a store from process to process. */
export class JournalReader {
  readonly #path: string;
  #from = 0;

  constructor(path: string) {
    this.#path = path;
  }

  /**
   * Notes that the process which wrote the journal is gone.
   * @returns all events since the last call. A line that the process was killed in is left out: a call that was not quite noted was
   * not made, and an answer that was not quite noted counts as not heard.
   */
  noteEnd(ended: ProcessEnded): HistoryEvent[] {
    const lines = this.#readOn().split('\n');
    const torn = lines.pop() ?? '';
    const line = JSON.stringify(ended);
    appendFileSync(this.#path, `${torn === '' ? '' : '\n'}${line}\n`);
    this.#from += Buffer.byteLength(`${torn === '' ? '' : '\n'}${line}\n`);
    return [...lines.filter((each) => each !== '').map((each) => JSON.parse(each) as HistoryEvent), ended];
  }

  #readOn(): string {
    if (!existsSync(this.#path)) return '';
    const file = openSync(this.#path, 'r');
    try {
      const bytes = Buffer.alloc(fstatSync(file).size - this.#from);
      readSync(file, bytes, 0, bytes.length, this.#from);
      this.#from += bytes.length;
      return bytes.toString('utf8');
    } finally {
      closeSync(file);
    }
  }
}

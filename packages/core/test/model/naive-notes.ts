import { STORE_LIMITS } from '@holdfast/contract/rules';

/** What a note says. */
export interface NaiveTold {
  readonly progress: string | undefined;
  readonly lines: readonly string[];
  readonly droppedLines: number;
}

/** What the attempts of a job have told, in order: all of it. */
export class NaiveNotes {
  readonly #attempts: { progress: string | undefined; lines: string[]; dropped: number }[] = [];

  begin(): void {
    this.#attempts.push({ progress: undefined, lines: [], dropped: 0 });
  }

  add({ progress, lines, droppedLines }: NaiveTold): void {
    const attempt = this.#attempts.at(-1)!;
    attempt.progress = progress ?? attempt.progress;
    attempt.lines.push(...lines);
    attempt.dropped += droppedLines;
  }

  /** As a store shows it: the last lines of all attempts together, as many as fit. */
  shown() {
    const all = this.#attempts.flatMap(({ lines }, attempt) => lines.map((text) => ({ attempt, text }))).reverse();
    const bytesUpTo = (index: number) =>
      all.slice(0, index + 1).reduce((sum, { text }) => sum + Buffer.byteLength(text), 0);
    const tooLong = all.findIndex((_, index) => bytesUpTo(index) > STORE_LIMITS.logBytesMax);
    const fitting = Math.min(tooLong === -1 ? all.length : tooLong, STORE_LIMITS.logLinesMax);
    const kept = all.slice(0, fitting).reverse();
    return this.#attempts.map(({ progress, lines, dropped }, index) => {
      const mine = kept.filter(({ attempt }) => attempt === index).map(({ text }) => text);
      return { progress, lines: mine, droppedLines: dropped + lines.length - mine.length };
    });
  }
}

import type { Writable } from 'node:stream';
import { visibleJson, visibleJsonLines, visibleText } from './visible-text.js';

const PIECE_CHARACTERS = 64 * 1024;
/** Of the terminal's own palette, so that it fits light and dark. */
const COLOURS = { good: '\u001b[32m', warning: '\u001b[33m', bad: '\u001b[31m' } as const;
const PLAIN = '\u001b[0m';

export type Tone = keyof typeof COLOURS;

/**
 * One of the two streams of a command. Everything passes through here, so nothing reaches a terminal unescaped. A reader that
 * went away (`| head`) is no error: `gone` says so, and what is written after that is dropped.
 */
export class Output {
  readonly #stream: Writable & { readonly isTTY?: boolean };
  readonly #coloured: boolean;
  #pending = '';
  #failure: NodeJS.ErrnoException | undefined;
  #wake: () => void = () => {};

  constructor(stream: Writable & { readonly isTTY?: boolean }, coloured = false) {
    this.#stream = stream;
    this.#coloured = coloured;
    stream.on('error', (error: NodeJS.ErrnoException) => {
      this.#failure ??= error;
      this.#wake();
    });
  }

  /** Somebody reads it as it comes. */
  get isTerminal(): boolean {
    return this.#stream.isTTY === true;
  }

  get gone(): boolean {
    return this.#failure?.code === 'EPIPE';
  }

  /** @param tone what the line means; it shows as a colour, and only where `coloured` was chosen */
  line(text = '', tone?: Tone): void {
    const visible = visibleText(text);
    this.#add(tone === undefined || !this.#coloured ? `${visible}\n` : `${COLOURS[tone]}${visible}${PLAIN}\n`);
  }

  json(value: unknown): void {
    this.#add(`${visibleJson(value)}\n`);
  }

  jsonLines(value: unknown): void {
    this.#add(`${visibleJsonLines(value)}\n`);
  }

  /** Waits until the reader has taken enough to go on, if more than one piece is pending. Keeps memory bounded. @param before it is written */
  async settle(before: () => void = () => {}): Promise<void> {
    if (this.#pending.length < PIECE_CHARACTERS) return;
    before();
    await this.flush();
  }

  /** @throws the error of the operating system when the output cannot be written; not when its reader went away */
  async flush(): Promise<void> {
    const piece = this.#pending;
    this.#pending = '';
    if (this.#failure === undefined && piece !== '') {
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
        this.#stream.write(piece, () => resolve());
      });
    }
    if (this.#failure !== undefined && !this.gone) throw this.#failure;
  }

  #add(text: string): void {
    if (this.#failure === undefined) this.#pending += text;
  }
}

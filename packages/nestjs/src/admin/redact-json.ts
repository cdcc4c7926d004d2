/** In the place of what is not shown. */
export const REDACTED = '[redacted]';

const DEPTH_MAX = 200;
const QUOTE = 0x22;
const COMMA = 0x2c;
const BRACKET = 0x5b;
const BACKSLASH = 0x5c;
const BRACKET_END = 0x5d;
const BRACE = 0x7b;
const BRACE_END = 0x7d;

export interface RedactedText {
  readonly text: string;
  readonly redacted: boolean;
}

/**
 * JSON with the values at secret places replaced, and every other character as it was: numbers of any length and doubled keys stay. What
 * lies deeper than 200 levels is not shown either. `undefined` for what is not JSON.
 */
export function redactJson(text: string, isSecret: (path: readonly string[]) => boolean): RedactedText | undefined {
  try {
    JSON.parse(text);
  } catch {
    return undefined;
  }
  return new JsonRedaction(text, isSecret).run();
}

/** Walks a text that is known to be JSON, once: character by character, since payloads are large and whoever waits holds up all others. */
class JsonRedaction {
  readonly #text: string;
  readonly #isSecret: (path: readonly string[]) => boolean;
  /** Where the walk is: names and places in lists. */
  readonly #path: string[] = [];
  #at = 0;
  #copiedTo = 0;
  #out = '';

  constructor(text: string, isSecret: (path: readonly string[]) => boolean) {
    this.#text = text;
    this.#isSecret = isSecret;
  }

  run(): RedactedText {
    this.#value();
    return { text: this.#out + this.#text.slice(this.#copiedTo), redacted: this.#copiedTo > 0 };
  }

  #value(): void {
    const first = this.#firstOfNext();
    if (first === QUOTE) this.#skipString();
    else if (first !== BRACE && first !== BRACKET) this.#skipLiteral();
    else if (this.#path.length === DEPTH_MAX) this.#replace(() => this.#skipNested());
    else if (first === BRACE) this.#members();
    else this.#items();
  }

  #members(): void {
    this.#at++;
    while (this.#firstOfNext() !== BRACE_END) {
      this.#path.push(this.#key());
      this.#firstOfNext();
      this.#at++;
      this.#inside();
    }
    this.#at++;
  }

  #items(): void {
    this.#at++;
    for (let index = 0; this.#firstOfNext() !== BRACKET_END; index++) {
      this.#path.push(String(index));
      this.#inside();
    }
    this.#at++;
  }

  /** The value at the path, which ends with it, and the comma behind it. */
  #inside(): void {
    this.#firstOfNext();
    if (this.#isSecret(this.#path)) this.#replace(() => this.#skipValue());
    else this.#value();
    this.#path.pop();
    if (this.#firstOfNext() === COMMA) this.#at++;
  }

  #replace(skip: () => void): void {
    this.#out += `${this.#text.slice(this.#copiedTo, this.#at)}"${REDACTED}"`;
    skip();
    this.#copiedTo = this.#at;
  }

  #skipValue(): void {
    const first = this.#text.charCodeAt(this.#at);
    if (first === QUOTE) this.#skipString();
    else if (first === BRACE || first === BRACKET) this.#skipNested();
    else this.#skipLiteral();
  }

  #skipNested(): void {
    let depth = 0;
    do {
      const here = this.#text.charCodeAt(this.#at);
      if (here === QUOTE) {
        this.#skipString();
        continue;
      }
      if (here === BRACE || here === BRACKET) depth++;
      if (here === BRACE_END || here === BRACKET_END) depth--;
      this.#at++;
    } while (depth > 0);
  }

  #skipLiteral(): void {
    while (this.#at < this.#text.length && !endsLiteral(this.#text.charCodeAt(this.#at))) this.#at++;
  }

  /** @returns whether anything in it is escaped */
  #skipString(): boolean {
    let isEscaped = false;
    for (this.#at++; ; this.#at++) {
      const here = this.#text.charCodeAt(this.#at);
      if (here === QUOTE) break;
      if (here !== BACKSLASH) continue;
      isEscaped = true;
      this.#at++;
    }
    this.#at++;
    return isEscaped;
  }

  #key(): string {
    const from = this.#at;
    const isEscaped = this.#skipString();
    const key = this.#text.slice(from + 1, this.#at - 1);
    return isEscaped ? String(JSON.parse(`"${key}"`)) : key;
  }

  /** Goes on to what is no space. */
  #firstOfNext(): number {
    while (isSpace(this.#text.charCodeAt(this.#at))) this.#at++;
    return this.#text.charCodeAt(this.#at);
  }
}

function isSpace(code: number): boolean {
  return code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09;
}

function endsLiteral(code: number): boolean {
  return code === COMMA || code === BRACKET_END || code === BRACE_END || isSpace(code);
}

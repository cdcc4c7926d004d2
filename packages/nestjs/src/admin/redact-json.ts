/** In the place of what is not shown. */
export const REDACTED = '[redacted]';

const DEPTH_MAX = 200;
const LITERAL = /[^\s,\]}]+/y;
const SPACE = /\s*/y;

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

/** Walks a text that is known to be JSON. */
class JsonRedaction {
  readonly #text: string;
  readonly #isSecret: (path: readonly string[]) => boolean;
  #at = 0;
  #copiedTo = 0;
  #out = '';

  constructor(text: string, isSecret: (path: readonly string[]) => boolean) {
    this.#text = text;
    this.#isSecret = isSecret;
  }

  run(): RedactedText {
    this.#value([]);
    return { text: this.#out + this.#text.slice(this.#copiedTo), redacted: this.#copiedTo > 0 };
  }

  #value(path: readonly string[]): void {
    this.#skip(SPACE);
    const first = this.#text[this.#at];
    if (first === '"') this.#string();
    else if (first !== '{' && first !== '[') this.#skip(LITERAL);
    else if (path.length === DEPTH_MAX) this.#replace(() => this.#skipNested());
    else if (first === '{') this.#members(path);
    else this.#items(path);
  }

  #members(path: readonly string[]): void {
    this.#at++;
    for (this.#skip(SPACE); this.#text[this.#at] !== '}'; this.#skip(SPACE)) {
      const key = this.#string();
      this.#skip(SPACE);
      this.#at++;
      this.#skip(SPACE);
      const inside = [...path, key];
      if (this.#isSecret(inside)) this.#replace(() => this.#skipValue());
      else this.#value(inside);
      this.#skip(SPACE);
      if (this.#text[this.#at] === ',') this.#at++;
    }
    this.#at++;
  }

  #items(path: readonly string[]): void {
    this.#at++;
    let index = 0;
    for (this.#skip(SPACE); this.#text[this.#at] !== ']'; this.#skip(SPACE)) {
      const inside = [...path, String(index++)];
      if (this.#isSecret(inside)) this.#replace(() => this.#skipValue());
      else this.#value(inside);
      this.#skip(SPACE);
      if (this.#text[this.#at] === ',') this.#at++;
    }
    this.#at++;
  }

  #replace(skip: () => void): void {
    this.#out += `${this.#text.slice(this.#copiedTo, this.#at)}"${REDACTED}"`;
    skip();
    this.#copiedTo = this.#at;
  }

  #skipValue(): void {
    const first = this.#text[this.#at];
    if (first === '"') this.#string();
    else if (first === '{' || first === '[') this.#skipNested();
    else this.#skip(LITERAL);
  }

  #skipNested(): void {
    let depth = 0;
    do {
      const here = this.#text[this.#at];
      if (here === '"') {
        this.#string();
        continue;
      }
      if (here === '{' || here === '[') depth++;
      if (here === '}' || here === ']') depth--;
      this.#at++;
    } while (depth > 0);
  }

  #string(): string {
    const from = this.#at++;
    while (this.#text[this.#at] !== '"') this.#at += this.#text[this.#at] === '\\' ? 2 : 1;
    this.#at++;
    return String(JSON.parse(this.#text.slice(from, this.#at)));
  }

  #skip(pattern: RegExp): void {
    pattern.lastIndex = this.#at;
    if (pattern.test(this.#text)) this.#at = pattern.lastIndex;
  }
}

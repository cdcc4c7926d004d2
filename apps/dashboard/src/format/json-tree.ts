/**
 * JSON read for showing, not for computing: every literal keeps the characters it was written with, so 64-bit ids, 1e400,
 * -0 and 1.10 look exactly as they were sent, and duplicate keys all appear. `JSON.parse` would change all of these.
 */
export type JsonNode =
  | { readonly kind: 'object'; readonly entries: readonly JsonEntry[] }
  | { readonly kind: 'array'; readonly items: readonly JsonNode[] }
  | { readonly kind: 'string' | 'number' | 'word'; readonly literal: string };

export interface JsonEntry {
  /** With its quotes and escapes, as written. */
  readonly key: string;
  readonly value: JsonNode;
}

/** Deeper texts are shown raw: nobody reads them as a tree, and recursion must stay bounded. */
const DEPTH_MAX = 100;
const STRING = '"[^"\\\\\\u0000-\\u001f]*(?:\\\\(?:["\\\\/bfnrt]|u[0-9a-fA-F]{4})[^"\\\\\\u0000-\\u001f]*)*"';
const NUMBER = '-?(?:0|[1-9]\\d*)(?:\\.\\d+)?(?:[eE][+-]?\\d+)?';
const TOKEN = new RegExp(`[\\t\\n\\r ]*(?:([{}[\\],:])|(${STRING})|(${NUMBER})|(true|false|null))`, 'y');

interface Token {
  readonly kind: 'mark' | 'string' | 'number' | 'word';
  readonly text: string;
}

/** The tree, or `undefined` when the text is not JSON (a truncated one is not) or is nested too deep. */
export function readJson(text: string): JsonNode | undefined {
  const reader = new JsonReader(text);
  const node = reader.value(0);
  return node !== undefined && reader.atEnd() ? node : undefined;
}

class JsonReader {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  atEnd(): boolean {
    return this.#text.slice(this.#at).trim() === '';
  }

  value(depth: number): JsonNode | undefined {
    const token = this.#next();
    if (token === undefined || depth > DEPTH_MAX) return undefined;
    if (token.kind !== 'mark') return { kind: token.kind, literal: token.text };
    if (token.text === '{') return this.#object(depth);
    return token.text === '[' ? this.#array(depth) : undefined;
  }

  #object(depth: number): JsonNode | undefined {
    const entries: JsonEntry[] = [];
    if (this.#take('}')) return { kind: 'object', entries };
    do {
      const key = this.#next();
      if (key?.kind !== 'string' || !this.#take(':')) return undefined;
      const value = this.value(depth + 1);
      if (value === undefined) return undefined;
      entries.push({ key: key.text, value });
    } while (this.#take(','));
    return this.#take('}') ? { kind: 'object', entries } : undefined;
  }

  #array(depth: number): JsonNode | undefined {
    const items: JsonNode[] = [];
    if (this.#take(']')) return { kind: 'array', items };
    do {
      const item = this.value(depth + 1);
      if (item === undefined) return undefined;
      items.push(item);
    } while (this.#take(','));
    return this.#take(']') ? { kind: 'array', items } : undefined;
  }

  #take(mark: string): boolean {
    const from = this.#at;
    const token = this.#next();
    if (token?.kind === 'mark' && token.text === mark) return true;
    this.#at = from;
    return false;
  }

  #next(): Token | undefined {
    TOKEN.lastIndex = this.#at;
    const match = TOKEN.exec(this.#text);
    if (match === null) return undefined;
    this.#at = TOKEN.lastIndex;
    const [, mark, string, number, word] = match;
    if (mark !== undefined) return { kind: 'mark', text: mark };
    if (string !== undefined) return { kind: 'string', text: string };
    return number !== undefined ? { kind: 'number', text: number } : { kind: 'word', text: word ?? '' };
  }
}

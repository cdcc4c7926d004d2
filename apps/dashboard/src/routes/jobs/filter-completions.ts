import { FILTER_KEYS, token, wordsOf } from './filter-tokens.js';

export interface Completion {
  /** What is offered, as a token or the beginning of one. */
  readonly insert: string;
  readonly meaning: string;
  /** The whole text once it is taken. Ends in a space if the token is whole. */
  readonly whole: string;
}

const SHOWN_MAX = 10;

/** What may follow in a text, by its last word: keys, or queues after `queue:`. */
export function completionsOf(text: string, queues: readonly string[]): readonly Completion[] {
  const inWord = text !== '' && !/\s$/.test(text);
  const word = inWord ? (wordsOf(text).at(-1) ?? '') : '';
  const before = text.slice(0, text.length - word.length);
  if (word.startsWith('queue:')) {
    const begun = word.slice('queue:'.length).replaceAll('"', '').toLowerCase();
    return queues
      .filter((queue) => queue.toLowerCase().includes(begun) && token('queue', queue) !== word)
      .slice(0, SHOWN_MAX)
      .map((queue) => ({ insert: token('queue', queue), meaning: '', whole: `${before}${token('queue', queue)} ` }));
  }
  if (word.includes(':')) return [];
  return FILTER_KEYS.filter(([key]) => key.startsWith(word.toLowerCase()) && key !== word).map(
    ([key, example, meaning]) => ({ insert: key, meaning: `${meaning} · ${example}`, whole: `${before}${key}` }),
  );
}

/**
 * What a terminal could act on, or what could show a text as another one: control characters, bidirectional and other
 * format characters, line and paragraph separators, halves of surrogate pairs.
 */
const UNSAFE = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu;
/** Most texts are nothing else, and this is found ten times faster. */
const PLAIN = /^[\x20-\x7e]*$/;
const UNSAFE_BUT_LINE_ENDS = /[^\P{Cc}\n]|[\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu;

/** The text with everything unsafe written as JSON would escape it: for names and messages that come from a disk or a caller. */
export function visibleText(text: string): string {
  return PLAIN.test(text) ? text : text.replace(UNSAFE, escaped);
}

/** One line of JSON, safe on a terminal. Whoever parses it gets the same value. */
export function visibleJson(value: unknown): string {
  return visibleText(JSON.stringify(value));
}

/** The same over several lines, for people. */
export function visibleJsonLines(value: unknown): string {
  return JSON.stringify(value, null, 2).replace(UNSAFE_BUT_LINE_ENDS, escaped);
}

function escaped(character: string): string {
  let text = '';
  for (let index = 0; index < character.length; index++) {
    text += `\\u${character.charCodeAt(index).toString(16).padStart(4, '0')}`;
  }
  return text;
}

/** Stands in a stored text where the character NUL, or this one, was given. */
export const MARK = '\u0001';
const NUL = '\0';
const MARKED = new RegExp(`${MARK}([01])`, 'g');

export function isStoredAsGiven(text: string): boolean {
  return !text.includes(NUL) && !text.includes(MARK);
}

/** PostgreSQL keeps every character but NUL: that one is written as a mark and 0, and the mark itself as a mark and 1. */
export function storedText(text: string): string {
  if (isStoredAsGiven(text)) return text;
  return text.replaceAll(MARK, `${MARK}1`).replaceAll(NUL, `${MARK}0`);
}

/** The text that was stored. */
export function givenText(stored: string): string {
  if (!stored.includes(MARK)) return stored;
  return stored.replace(MARKED, (_, kind: string) => (kind === '0' ? NUL : MARK));
}

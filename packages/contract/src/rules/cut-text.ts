const CONTINUATION_MASK = 0xc0;
const CONTINUATION = 0x80;

/** UTF-8 of a text, cut between two characters to at most `bytesMax`: an error text is shortened, never refused. */
export function cutBytes(text: string, bytesMax: number): Uint8Array {
  // No character has fewer bytes than UTF-16 units by more than half, so nothing beyond bytesMax units can fit.
  const bytes = Buffer.from(text.length > bytesMax ? text.slice(0, bytesMax + 1) : text, 'utf8');
  if (bytes.length <= bytesMax) return bytes;
  let end = bytesMax;
  while (end > 0 && (bytes[end]! & CONTINUATION_MASK) === CONTINUATION) end--;
  return bytes.subarray(0, end);
}

/** The same as text. A lone surrogate becomes the replacement character, as in UTF-8. */
export function cutText(text: string, bytesMax: number): string {
  if (text.length * 3 <= bytesMax && text.isWellFormed()) return text;
  return Buffer.from(cutBytes(text, bytesMax)).toString();
}

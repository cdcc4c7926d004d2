/** At most `bytesMax` of UTF-8, without half a character at the end. */
export function cutText(text: string, bytesMax: number): string {
  if (text.length * 3 <= bytesMax) return text;
  const bytes = Buffer.from(text);
  if (bytes.length <= bytesMax) return text;
  return bytes
    .subarray(0, bytesMax)
    .toString()
    .replace(/\uFFFD$/, '');
}

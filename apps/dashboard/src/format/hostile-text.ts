/**
 * Names, errors and payloads come from anywhere. React makes them text nodes, so they cannot be markup; what remains is
 * text that lies: characters that are invisible, reorder their neighbours or break the line. Those are shown as escapes.
 */

/** A stretch of text, plain or to be shown as an escape. */
export interface TextPart {
  readonly text: string;
  readonly escaped: boolean;
}

// Controls but tab and newline; soft hyphen; fillers and joiners; bidi marks, embeddings and isolates; line and paragraph
// separators; byte order mark; interlinear annotation; tag characters; halves of surrogate pairs.
const DECEIVING = [
  '\\u0000-\\u0008\\u000b-\\u001f\\u007f-\\u009f\\u00ad\\u034f\\u061c\\u115f\\u1160\\u17b4\\u17b5\\u180b-\\u180f',
  '\\u200b-\\u200f\\u2028-\\u202e\\u2060-\\u206f\\u3164\\ufeff\\uffa0\\ufff9-\\ufffb\\u{e0000}-\\u{e007f}\\p{Cs}',
].join('');
const IN_LINES = new RegExp(`[${DECEIVING}]`, 'gu');
const IN_ONE_LINE = new RegExp(`[${DECEIVING}\\t\\n]`, 'gu');
const SHORT_ESCAPES: Readonly<Record<string, string>> = { '\t': '\\t', '\n': '\\n', '\r': '\\r', '\0': '\\0' };

/** Splits text at the characters that must not be shown as they are. `lines` keeps tabs and newlines. */
export function visibleParts(text: string, lines = false): readonly TextPart[] {
  const parts: TextPart[] = [];
  let from = 0;
  for (const match of text.matchAll(lines ? IN_LINES : IN_ONE_LINE)) {
    if (match.index > from) parts.push({ text: text.slice(from, match.index), escaped: false });
    parts.push({ text: escapeOf(match[0]), escaped: true });
    from = match.index + match[0].length;
  }
  if (from < text.length) parts.push({ text: text.slice(from), escaped: false });
  return parts;
}

/** The same as one string, for titles and labels that cannot hold markup. */
export function visibleText(text: string): string {
  return visibleParts(text)
    .map((part) => part.text)
    .join('');
}

function escapeOf(character: string): string {
  const short = SHORT_ESCAPES[character];
  if (short !== undefined) return short;
  const code = character.codePointAt(0) ?? 0;
  return code > 0xffff ? `\\u{${code.toString(16)}}` : `\\u${code.toString(16).padStart(4, '0')}`;
}

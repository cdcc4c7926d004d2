/** What the demo shows of a mail without opening it. */
export interface MailHeader {
  readonly messageId: string;
  readonly to: string;
  readonly subject: string;
}

/** More header than this is no mail of ours; the rest is not looked at. */
const HEADER_BYTES_MAX = 64 * 1024;

/** `undefined` when the message has no Message-ID. */
export function readMailHeader(message: Uint8Array): MailHeader | undefined {
  const fields = headerFields(message);
  const messageId = fields.get('message-id');
  if (messageId === undefined || messageId === '') return undefined;
  return {
    messageId,
    to: decodeWords(fields.get('to') ?? ''),
    subject: decodeWords(fields.get('subject') ?? ''),
  };
}

/** Field name in lower case → its first value, unfolded. */
function headerFields(message: Uint8Array): Map<string, string> {
  const text = Buffer.from(message.subarray(0, HEADER_BYTES_MAX)).toString('utf8');
  const [header = ''] = text.split(/\r?\n\r?\n/, 1);
  const fields = new Map<string, string>();
  for (const line of header.replace(/\r?\n[ \t]+/g, ' ').split(/\r?\n/)) {
    const colon = line.indexOf(':');
    if (colon < 1) continue;
    const name = line.slice(0, colon).trim().toLowerCase();
    if (!fields.has(name)) fields.set(name, line.slice(colon + 1).trim());
  }
  return fields;
}

/** Undoes RFC 2047, in which a header says what is not ASCII. The space between two such words belongs to neither. */
function decodeWords(text: string): string {
  return text
    .replace(/(\?=)\s+(=\?)/g, '$1$2')
    .replace(/=\?utf-8\?([bq])\?([^?]*)\?=/gi, (_, encoding: string, word: string) =>
      (encoding.toLowerCase() === 'b' ? Buffer.from(word, 'base64') : fromQuoted(word)).toString('utf8'),
    );
}

function fromQuoted(word: string): Buffer {
  const bytes = word
    .replace(/_/g, ' ')
    .replace(/=([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  return Buffer.from(bytes, 'latin1');
}

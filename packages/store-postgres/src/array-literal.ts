import { storedText } from './stored-text.js';

const ESCAPED = /["\\]/g;
const NEEDS_ESCAPE = /["\\]/;

/**
 * Values as the text of an array, which the driver passes on as it is: in a large enqueue its own way of writing arrays is most of the work. An
 * array without any value is empty: `unnest` fills shorter arrays up with nulls.
 */
export function arrayLiteral(values: readonly unknown[]): string {
  if (values.every((value) => value === null)) return '{}';
  if (values.every((value) => typeof value === 'number')) return `{${values.join(',')}}`;
  return `{${values.map(elementOf).join(',')}}`;
}

function elementOf(value: unknown): string {
  if (value === null || value === undefined) return 'NULL';
  if (typeof value === 'string') return textElementOf(storedText(value));
  if (value instanceof Uint8Array) return `"\\\\x${Buffer.from(value).toString('hex')}"`;
  return String(value);
}

function textElementOf(text: string): string {
  return `"${NEEDS_ESCAPE.test(text) ? text.replace(ESCAPED, '\\$&') : text}"`;
}

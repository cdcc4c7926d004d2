import { LogCorruptError } from '@holdfast/contract';
import { RecordError } from '../state/record-body.js';

const WORD = 2 ** 32;
const SEGMENT_DIGITS = 10;

/** Runs what decodes the record at a location; contents that make no sense are told with the file and the place. */
export function decodingAt<Value>(location: number, decode: () => Value): Value {
  try {
    return decode();
  } catch (error) {
    if (!(error instanceof RecordError)) throw error;
    throw new LogCorruptError(fileAt(location), location % WORD, `the record there ${error.message}`);
  }
}

/** The name of the file that a location speaks of: docs/log-format.md. */
export function fileAt(location: number): string {
  return `${String(Math.floor(location / WORD)).padStart(SEGMENT_DIGITS, '0')}.segment`;
}

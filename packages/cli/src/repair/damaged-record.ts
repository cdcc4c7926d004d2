import { type LogRecord, locationOffset, locationSegment, segmentName } from '@holdfast/core/log';
import { RecordError } from '@holdfast/core/records';

/** A record that is whole and still cannot be taken: where it is, and why. */
export interface LeftOutRecord {
  readonly file: string;
  readonly offset: number;
  readonly kind: number;
  readonly problem: string;
}

export function leftOut(record: LogRecord, problem: string): LeftOutRecord {
  const { location, kind } = record;
  return { file: segmentName(locationSegment(location)), offset: locationOffset(location), kind, problem };
}

/** Decodes; contents that make no sense are handed to `refused` instead. */
export function decoding(decode: () => void, refused: (problem: string) => void): void {
  try {
    decode();
  } catch (error) {
    if (!(error instanceof RecordError)) throw error;
    refused(`the record ${error.message}`);
  }
}

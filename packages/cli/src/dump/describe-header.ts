import { FRAME_TYPE, type FrameHeader, LOG_FORMAT_VERSION, type SegmentHeader } from '@holdfast/core/log';
import type { SurveyedSegment } from '../salvage/log-survey.js';

/** The field names of the lines are those of docs/log-format.md. Numbers that need 64 bits, and checksums, are hexadecimal texts. */
export function describeSegment({ number, name, bytes, header, headerProblem }: SurveyedSegment) {
  const line = { type: 'segment', segment: number, file: name, bytes };
  return header === undefined ? { ...line, problem: headerProblem } : { ...line, ...headerFields(header) };
}

function headerFields(header: SegmentHeader) {
  const { storeId, salt, segmentNumber: _, previousCrc, ...fields } = header;
  return {
    formatVersion: LOG_FORMAT_VERSION,
    storeId: Buffer.from(storeId).toString('hex'),
    salt: hex(salt, 16),
    ...fields,
    previousCrc: hex(previousCrc, 8),
  };
}

export function describeFrame(segment: number, header: FrameHeader, headerCrc: number) {
  const { offset, seq, type, durableUpTo, recordsBytes, recordCount, recordsCrc } = header;
  const name = FRAME_NAMES[type];
  const sums = { recordsCrc: hex(recordsCrc, 8), headerCrc: hex(headerCrc, 8) };
  return { type: 'frame', segment, offset, seq, frame: name, durableUpTo, recordCount, recordsBytes, ...sums };
}

const FRAME_NAMES = {
  [FRAME_TYPE.records]: 'RECORDS',
  [FRAME_TYPE.seal]: 'SEAL',
  [FRAME_TYPE.close]: 'CLOSE',
  [FRAME_TYPE.idle]: 'IDLE',
} as const;

export function hex(value: number | bigint, digits: number): string {
  return value.toString(16).padStart(digits, '0');
}

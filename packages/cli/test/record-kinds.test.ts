import { LogVersionError } from '@holdfast/contract';
import { DEFAULT_RETENTION } from '@holdfast/contract/rules';
import { makeLocation, RecordCursor, SKIPPABLE } from '@holdfast/core/log';
import { JobTable, RECORD } from '@holdfast/core/records';
import { describe, expect, it } from 'vitest';
import { describeRecord } from '../src/dump/describe-record.js';
import { HistoryWriter } from '../src/repair/history-writer.js';
import { Loss } from '../src/repair/loss.js';
import { EmptySink } from '../src/repair/record-sink.js';

const UNKNOWN_KIND = 200;

/** A record without a body, which no kind has. */
function emptyRecord(kind: number, flags = 0): RecordCursor {
  const record = new RecordCursor();
  record.buffer = new Uint8Array(12);
  record.view = new DataView(record.buffer.buffer);
  record.view.setUint8(8, kind);
  record.view.setUint8(9, flags);
  record.point(0, makeLocation(1, 320));
  return record;
}

function rewrite(record: RecordCursor): Loss {
  const loss = new Loss();
  new HistoryWriter(new JobTable(DEFAULT_RETENTION), new EmptySink(), loss, []).record(record);
  return loss;
}

// A kind that the log learns must be learned here, too: these fail until it is.
describe.each(Object.entries(RECORD))('records of kind %s', (_, kind) => {
  it('are decoded by a dump', () => {
    const { body } = describeRecord({ tag: 'abcde', payload: true }, 1, 1, emptyRecord(kind));
    expect(body.problem).toBe('the record is shorter than its fields');
  });

  it('are decoded by a repair', () => {
    const { leftOut } = rewrite(emptyRecord(kind));
    expect(leftOut).toEqual([
      { file: '0000000001.segment', offset: 320, kind, problem: 'the record is shorter than its fields' },
    ]);
  });
});

describe('a kind that nobody knows', () => {
  it('is shown as it is by a dump', () => {
    const { head, body } = describeRecord({ tag: 'abcde', payload: true }, 1, 1, emptyRecord(UNKNOWN_KIND));
    expect(JSON.parse(JSON.stringify({ ...head, ...body }))).toEqual({
      type: 'record',
      segment: 1,
      offset: 320,
      seq: 1,
      kind: UNKNOWN_KIND,
      bodyBytes: 0,
      crc: '00000000',
      bodyBase64: '',
    });
  });

  it('is refused by a repair, or left out and counted if it says that it may be', () => {
    expect(() => rewrite(emptyRecord(UNKNOWN_KIND))).toThrow(LogVersionError);
    expect(rewrite(emptyRecord(UNKNOWN_KIND, SKIPPABLE)).skipped.records).toBe(1);
  });
});

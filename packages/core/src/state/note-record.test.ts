import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodeNote, encodeNote, noteBodyBytes, noteContents } from './note-record.js';
import { RecordError } from './record-body.js';

const u64 = fc.maxSafeNat();
const text = fc.string({ unit: 'grapheme', maxLength: 20 });

const note = fc.record({
  atMs: u64,
  id: u64,
  token: u64,
  previous: u64,
  earlier: u64,
  told: fc.nat(),
  progress: text,
  lines: fc.array(fc.record({ atMs: u64, text }), { maxLength: 5 }),
});

function bodyOf(bytes: number) {
  const buffer = new Uint8Array(bytes);
  return { buffer, view: new DataView(buffer.buffer), offset: 0, bodyBytes: bytes };
}

describe('NOTE', () => {
  it('comes back with every field, and is refused when it is cut off or longer', () => {
    fc.assert(
      fc.property(note, (fields) => {
        const contents = noteContents(fields);
        const body = bodyOf(noteBodyBytes(contents));
        encodeNote(body, contents);
        expect(decodeNote(body)).toEqual(fields);
        expect(() => decodeNote({ ...body, bodyBytes: body.bodyBytes - 1 })).toThrow(RecordError);
        const longer = bodyOf(body.bodyBytes + 1);
        longer.buffer.set(body.buffer);
        expect(() => decodeNote(longer)).toThrow(RecordError);
      }),
    );
  });

  it('has the bytes that docs/log-format.md draws', () => {
    const head = { atMs: 1, id: 2, token: 3, previous: 4, earlier: 5, told: 6 };
    const contents = noteContents({ ...head, progress: '0.5', lines: [{ atMs: 7, text: 'ab' }] });
    const body = bodyOf(noteBodyBytes(contents));
    encodeNote(body, contents);
    const u64s = [1, 2, 3, 4, 5].map((value) => `0${value}00000000000000`).join('');
    const progress = '0300302e35';
    const lines = '010007000000000000000200' + '6162';
    expect(Buffer.from(body.buffer).toString('hex')).toBe(`${u64s}06000000${progress}${lines}`);
  });
});

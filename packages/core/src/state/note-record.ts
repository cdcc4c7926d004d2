import type { LogLine } from '@holdfast/contract';
import { BodyReader, BodyWriter, type RecordBody } from './record-body.js';

/*
 * NOTE     atMs u64 · id u64 · token u64 · previous u64 · earlier u64 · told u32 · progress str16 · count u16 · count × (atMs u64 · text str16)
 *
 * `previous` passes over the other notes of the same attempt: `earlier` leads back through those of them that have lines.
 */
const HEAD_BYTES = 5 * 8 + 4 + 2 + 2;
const LINE_HEAD_BYTES = 8 + 2;

export interface NoteFields {
  readonly atMs: number;
  readonly id: number;
  readonly token: number;
  /** Location of the job's history record before all notes of this attempt. */
  readonly previous: number;
  /** Location of the note of this attempt that has the lines before these; 0 if none has. */
  readonly earlier: number;
  /** Lines of this attempt so far, also those that are not kept. */
  readonly told: number;
  /** JSON; empty if none was told. */
  readonly progress: string;
  readonly lines: readonly LogLine[];
}

/** The same with its texts as they are stored. */
export interface NoteContents extends Omit<NoteFields, 'progress' | 'lines'> {
  readonly progress: Uint8Array;
  readonly lines: readonly { readonly atMs: number; readonly text: Uint8Array }[];
}

const encoder = new TextEncoder();

export function noteContents({ progress, lines, ...fields }: NoteFields): NoteContents {
  return {
    ...fields,
    progress: encoder.encode(progress),
    lines: lines.map(({ atMs, text }) => ({ atMs, text: encoder.encode(text) })),
  };
}

export function noteBodyBytes({ progress, lines }: NoteContents): number {
  return lines.reduce((sum, { text }) => sum + LINE_HEAD_BYTES + text.length, HEAD_BYTES + progress.length);
}

export function encodeNote(body: RecordBody, { lines, ...fields }: NoteContents): void {
  const writer = new BodyWriter(body)
    .u64(fields.atMs)
    .u64(fields.id)
    .u64(fields.token)
    .u64(fields.previous)
    .u64(fields.earlier)
    .u32(fields.told)
    .str16(fields.progress)
    .u16(lines.length);
  for (const { atMs, text } of lines) writer.u64(atMs).str16(text);
}

/** @throws RecordError */
export function decodeNote(body: RecordBody): NoteFields {
  const reader = new BodyReader(body);
  const head = { atMs: reader.u64(), id: reader.u64(), token: reader.u64(), previous: reader.u64() };
  const rest = { earlier: reader.u64(), told: reader.u32(), progress: reader.str16() };
  const count = reader.u16();
  const lines: LogLine[] = [];
  for (let index = 0; index < count; index++) lines.push({ atMs: reader.u64(), text: reader.str16() });
  reader.end();
  return { ...head, ...rest, lines };
}

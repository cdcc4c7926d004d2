import { fdatasyncSync, openSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { parentPort, workerData } from 'node:worker_threads';
import { crc32c } from '@holdfast/core/log';

/** The jobs of one turn: their texts joined, and how long each is. All of them are ASCII. */
export interface BareBatch {
  readonly text: string;
  readonly lengths: Uint32Array;
}

const FRAME_HEADER_BYTES = 64;
/** Of the head of a record and what Holdfast's holds beside its payload, so that the disk gets as many bytes. */
const RECORD_HEAD_BYTES = 71;

const file = openSync(join(workerData, 'bare'), 'w');
let buffer = Buffer.alloc(64 * 1024);

parentPort?.on('message', ({ text, lengths }: BareBatch) => {
  const bytes = FRAME_HEADER_BYTES + text.length + lengths.length * RECORD_HEAD_BYTES;
  if (buffer.length < bytes) buffer = Buffer.alloc(bytes * 2);
  let at = FRAME_HEADER_BYTES;
  let textAt = 0;
  for (const length of lengths) {
    at = writeRecord(at, text.slice(textAt, textAt + length));
    textAt += length;
  }
  buffer.writeUInt32LE(crc32c(buffer, FRAME_HEADER_BYTES, at), 0);
  for (let written = 0; written < at; ) written += writeSync(file, buffer, written, at - written);
  fdatasyncSync(file);
  parentPort?.postMessage(undefined);
});
parentPort?.postMessage(undefined);

/** @returns where the next one begins */
function writeRecord(at: number, payload: string): number {
  const payloadAt = at + RECORD_HEAD_BYTES;
  const end = payloadAt + payload.length;
  buffer.writeUInt32LE(end - at, at);
  buffer.write(payload, payloadAt, 'utf8');
  buffer.writeUInt32LE(crc32c(buffer, at + 8, end), at + 4);
  return end;
}

import type { JobError } from '@holdfast/contract';
import { cutBytes } from '@holdfast/contract/rules';
import { LIMITS } from '../limits.js';
import type { ActBytes } from './act-records.js';
import { BodyReader, BodyWriter, type RecordBody, RecordError } from './record-body.js';
import { CAUSE, type Cause } from './record-kinds.js';

/*
 * RETRY    atMs u64 · id u64 · token u64 · previous u64 · runAtMs u64 · cause u8 · errorClass str8 · errorMessage str16 · errorStack str16
 * DEAD     atMs u64 · id u64 · token u64 · previous u64 · cause u8 · errorClass str8 · errorMessage str16 · errorStack str16
 * WITHDRAW as DEAD: the handler cancels the job; the error says why
 * RELEASE  atMs u64 · id u64 · token u64 · previous u64 · runAtMs u64
 * REDRIVE  atMs u64 · id u64 · previous u64 · actor str8 · reason str16
 */
const REFERENCE_BYTES = 32;
export const RELEASE_BODY_BYTES = REFERENCE_BYTES + 8;
const ERROR_HEAD_BYTES = 1 + 2 + 2;
const REDRIVE_HEAD_BYTES = 8 + 8 + 8 + 1 + 2;

/** A job and the lease that a record ends. */
export interface SettleFields {
  readonly atMs: number;
  readonly id: number;
  readonly token: number;
  readonly previous: number;
}

export interface RetryFields extends SettleFields {
  readonly runAtMs: number;
  readonly cause: Cause;
}

export interface DeadFields extends SettleFields {
  readonly cause: Cause;
}

export interface ReleaseFields extends SettleFields {
  readonly runAtMs: number;
}

export interface RedriveFields {
  readonly atMs: number;
  readonly id: number;
  readonly previous: number;
}

/** The texts of an error as they are stored: each within its limit. */
export interface ErrorBytes {
  readonly class: Uint8Array;
  readonly message: Uint8Array;
  readonly stack: Uint8Array;
}

export function errorBytes(error: JobError): ErrorBytes {
  return {
    class: cutBytes(error.class, LIMITS.errorClassBytesMax),
    message: cutBytes(error.message, LIMITS.errorMessageBytesMax),
    stack: cutBytes(error.stack ?? '', LIMITS.errorStackBytesMax),
  };
}

export function retryBodyBytes(error: ErrorBytes): number {
  return RELEASE_BODY_BYTES + 1 + errorBodyBytes(error);
}

export function deadBodyBytes(error: ErrorBytes): number {
  return REFERENCE_BYTES + 1 + errorBodyBytes(error);
}

export function encodeRetry(body: RecordBody, fields: RetryFields, error: ErrorBytes): void {
  writeError(writeReference(body, fields).u64(fields.runAtMs).u8(fields.cause), error);
}

export function encodeDead(body: RecordBody, fields: DeadFields, error: ErrorBytes): void {
  writeError(writeReference(body, fields).u8(fields.cause), error);
}

export function encodeRelease(body: RecordBody, fields: ReleaseFields): void {
  writeReference(body, fields).u64(fields.runAtMs);
}

export function redriveBodyBytes(act: ActBytes): number {
  return REDRIVE_HEAD_BYTES + act.actor.length + act.reason.length;
}

export function encodeRedrive(body: RecordBody, fields: RedriveFields, act: ActBytes): void {
  new BodyWriter(body).u64(fields.atMs).u64(fields.id).u64(fields.previous).str8(act.actor).str16(act.reason);
}

/** With `withTexts` false the error is checked for its length only: a replay needs none. @throws RecordError */
export function decodeRetry(body: RecordBody, withTexts: boolean): RetryFields & { readonly error: JobError } {
  const reader = new BodyReader(body);
  const reference = readReference(reader);
  const runAtMs = reader.u64();
  const cause = readCause(reader);
  return { ...reference, runAtMs, cause, error: readError(reader, withTexts) };
}

/** @throws RecordError */
export function decodeDead(body: RecordBody, withTexts: boolean): DeadFields & { readonly error: JobError } {
  const reader = new BodyReader(body);
  const reference = readReference(reader);
  const cause = readCause(reader);
  return { ...reference, cause, error: readError(reader, withTexts) };
}

/** @throws RecordError */
export function decodeRelease(body: RecordBody): ReleaseFields {
  const reader = new BodyReader(body);
  const fields = { ...readReference(reader), runAtMs: reader.u64() };
  reader.end();
  return fields;
}

/** @throws RecordError */
export function decodeRedrive(body: RecordBody): RedriveFields & { readonly actor: string; readonly reason: string } {
  const reader = new BodyReader(body);
  const fields = {
    atMs: reader.u64(),
    id: reader.u64(),
    previous: reader.u64(),
    actor: reader.str8(),
    reason: reader.str16(),
  };
  reader.end();
  return fields;
}

function errorBodyBytes(error: ErrorBytes): number {
  return ERROR_HEAD_BYTES + error.class.length + error.message.length + error.stack.length;
}

function writeReference(body: RecordBody, fields: SettleFields): BodyWriter {
  return new BodyWriter(body).u64(fields.atMs).u64(fields.id).u64(fields.token).u64(fields.previous);
}

function writeError(writer: BodyWriter, error: ErrorBytes): void {
  writer.str8(error.class).str16(error.message).str16(error.stack);
}

function readReference(reader: BodyReader): SettleFields {
  return { atMs: reader.u64(), id: reader.u64(), token: reader.u64(), previous: reader.u64() };
}

function readCause(reader: BodyReader): Cause {
  const cause = reader.u8();
  if (cause === CAUSE.failed || cause === CAUSE.leaseExpired || cause === CAUSE.processEnded) return cause;
  throw new RecordError(`names an unknown cause ${cause}`);
}

const NO_ERROR: JobError = { class: '', message: '' };

function readError(reader: BodyReader, withTexts: boolean): JobError {
  if (!withTexts) {
    reader.skip(reader.u8());
    reader.skip(reader.u16());
    reader.skip(reader.u16());
    reader.end();
    return NO_ERROR;
  }
  const error = { class: reader.str8(), message: reader.str16() };
  const stack = reader.str16();
  reader.end();
  return stack === '' ? error : { ...error, stack };
}

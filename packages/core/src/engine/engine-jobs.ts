import { encodeDedupe, encodeExpiry, encodeExtras, joined, NO_OPTIONS } from '../state/enqueue-options.js';
import { PAYLOAD_BYTES, PAYLOAD_TEXT } from '../state/enqueue-record.js';
import type { EngineJob, EngineJobs, JobShape, PayloadColumn } from './engine-calls.js';

/** Jobs that were made one by one, as the engine takes them. Bytes are copied: their owner may go on to use its buffer. */
export function inColumns(jobs: readonly EngineJob[]): EngineJobs {
  const shapes = [...new Set(jobs.map(({ shape }) => shape))];
  const delaysMs = numbersOf(jobs.map(({ delayMs }) => delayMs));
  const runAtsMs = numbersOf(jobs.map(({ runAtMs }) => runAtMs));
  const expiresInMs = numbersOf(jobs.map((job) => job.expiresInMs));
  return {
    shapes: { shapes, places: Uint32Array.from(jobs, ({ shape }) => shapes.indexOf(shape)) },
    payloads: payloadsOf(jobs),
    ...(delaysMs && { delaysMs }),
    ...(runAtsMs && { runAtsMs }),
    ...(expiresInMs && { expiresInMs }),
    ...given('extras', jobs),
    ...given('dedupes', jobs),
    ...given('cloneOrigins', jobs),
  };
}

export function countOf(jobs: EngineJobs): number {
  return jobs.payloads.lengths.length;
}

export function shapeOf({ shapes: { shapes, places } }: EngineJobs, index: number): JobShape {
  return shapes[places === undefined ? 0 : places[index]!]!;
}

/** PAYLOAD_TEXT or PAYLOAD_BYTES. */
export function encodingOf({ payloads }: EngineJobs, index: number): number {
  return payloads.kinds?.[index] ?? PAYLOAD_TEXT;
}

/** A time that has passed means at once: a job cannot have waited before it was enqueued. */
export function runAtMsOf({ runAtsMs, delaysMs }: EngineJobs, index: number, nowMs: number): number {
  const runAtMs = numberAt(runAtsMs, index);
  if (runAtMs !== undefined) return Math.max(Math.ceil(runAtMs), nowMs);
  return nowMs + Math.ceil(numberAt(delaysMs, index) ?? 0);
}

/** 0: it may wait for ever. */
export function expiresAtMsOf({ expiresInMs }: EngineJobs, index: number, nowMs: number): number {
  const ms = numberAt(expiresInMs, index);
  return ms === undefined ? 0 : nowMs + Math.ceil(ms);
}

/** No job has anything that stands among the options of its record. */
export function hasNoOptions({ expiresInMs, extras, dedupes, cloneOrigins }: EngineJobs): boolean {
  return expiresInMs === undefined && extras === undefined && dedupes === undefined && cloneOrigins === undefined;
}

/** What the record of a job holds between its names and its payload. */
export function optionsOf(jobs: EngineJobs, index: number, nowMs: number): Uint8Array {
  const expiresAtMs = expiresAtMsOf(jobs, index, nowMs);
  const extras = jobs.extras?.[index];
  const dedupe = jobs.dedupes?.[index];
  const cloneOrigin = jobs.cloneOrigins?.[index];
  const options = [
    ...(expiresAtMs === 0 ? [] : [encodeExpiry(expiresAtMs)]),
    ...(extras === undefined ? [] : [encodeExtras(extras)]),
    ...(dedupe === undefined ? [] : [encodeDedupe(dedupe)]),
    ...(cloneOrigin === undefined ? [] : [cloneOrigin]),
  ];
  return options.length === 0 ? NO_OPTIONS : joined(options);
}

function numberAt(column: Float64Array | undefined, index: number): number | undefined {
  const value = column?.[index];
  return value === undefined || Number.isNaN(value) ? undefined : value;
}

function numbersOf(values: readonly (number | undefined)[]): Float64Array | undefined {
  if (values.every((value) => value === undefined)) return undefined;
  return Float64Array.from(values, (value) => value ?? Number.NaN);
}

function payloadsOf(jobs: readonly EngineJob[]): PayloadColumn {
  const payloads = jobs.map(({ payload }) => payload);
  const texts = payloads.filter((payload) => typeof payload === 'string');
  const lengths = Uint32Array.from(payloads, ({ length }) => length);
  if (texts.length === payloads.length) return { text: texts.join(''), lengths };
  const kinds = Uint8Array.from(payloads, (payload) => (typeof payload === 'string' ? PAYLOAD_TEXT : PAYLOAD_BYTES));
  const bytes = Uint8Array.from(payloads.flatMap((payload) => (typeof payload === 'string' ? [] : [...payload])));
  return { text: texts.join(''), lengths, kinds, bytes };
}

function given(column: 'extras' | 'dedupes' | 'cloneOrigins', jobs: readonly EngineJob[]): Partial<EngineJobs> {
  const of = { extras: 'extras', dedupes: 'dedupe', cloneOrigins: 'cloneOrigin' } as const;
  const values = jobs.map((job) => job[of[column]]);
  return values.every((value) => value === undefined) ? {} : { [column]: values };
}

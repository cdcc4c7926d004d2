import type { JobDetail } from '@holdfast/contract';
import type { PayloadCodec } from './payload-codec.js';

/** What the store tells of a job, with payload and result as values. */
export interface StoredJob<T = unknown> extends Omit<JobDetail, 'payload' | 'result'> {
  readonly payload: T;
  /** Absent until the job completes, and when its handler returned nothing. */
  readonly result?: unknown;
}

/** @throws What the codec throws for a payload that it cannot read. */
export function toStoredJob<T>(detail: JobDetail, codec: PayloadCodec): StoredJob<T> {
  const { payload, result, ...rest } = detail;
  const stored = { ...rest, payload: codec.decode(payload) as T };
  return result === undefined ? stored : { ...stored, result: codec.decode(result) };
}

import type { JobDetail } from '@holdfast/contract';
import type { PayloadCodec } from './payload-codec.js';

/** What the store tells of a job, with payload and result as values. */
export interface StoredJob<T = unknown> extends Omit<JobDetail, 'payload' | 'result' | 'progress'> {
  readonly payload: T;
  /** Absent until the job completes, and when its handler returned nothing. */
  readonly result?: unknown;
  /** What the handler of the latest attempt last told, if it told anything. */
  readonly progress?: unknown;
}

/** @throws What the codec throws for a payload that it cannot read. */
export function toStoredJob<T>(detail: JobDetail, codec: PayloadCodec): StoredJob<T> {
  const { payload, result, progress, ...rest } = detail;
  const told = progress === undefined ? {} : { progress: JSON.parse(progress) as unknown };
  const stored = { ...rest, ...told, payload: codec.decode(payload) as T };
  return result === undefined ? stored : { ...stored, result: codec.decode(result) };
}

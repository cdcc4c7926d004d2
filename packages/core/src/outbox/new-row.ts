import { InvalidArgumentError } from '@holdfast/contract';
import {
  checkExpiry,
  checkedDedupe,
  checkedExtras,
  checkedShape,
  checkPayload,
  checkStart,
  DEFAULT_BACKOFF,
  DEFAULT_MAX_ATTEMPTS,
  DEFAULT_PRIORITY,
} from '@holdfast/contract/rules';
import { checkOptionNames, type JobOptions, jobWith } from '../queue/job-options.js';
import type { PayloadCodec } from '../queue/payload-codec.js';

/** What is written into the three columns of a row. */
export type NewRow = readonly [name: string, payload: string, options: string | null];

const NOTHING_BESIDE: ReadonlySet<string> = new Set();

/**
 * Looks at a job as a store would, so that a mistake is told to who makes it, and not to the relay when the transaction is long committed.
 * @throws InvalidJobError, PayloadNotJsonError, InvalidArgumentError
 */
export function newRow(codec: PayloadCodec, name: string, payload: unknown, options: JobOptions = {}): NewRow {
  checkOptionNames(options, 0, NOTHING_BESIDE);
  const text = codec.encode(payload, 'payload');
  if (typeof text !== 'string') throw new InvalidArgumentError('codec', 'one that makes bytes', 'one that makes texts');
  checkPayload(text, 0);
  // The queue is not known here, and has checked its own name. By name, since options may come from wherever an object has them.
  const { queue, name: _name, payload: _payload, ...rest } = jobWith({ queue: 'any', name, payload: text }, options);
  const { priority = DEFAULT_PRIORITY, maxAttempts = DEFAULT_MAX_ATTEMPTS, backoff = DEFAULT_BACKOFF } = rest;
  checkedShape({ queue, name, priority, maxAttempts, backoff }, 0);
  checkStart(rest.delayMs, rest.runAtMs, 0);
  if (rest.expiresInMs !== undefined) checkExpiry(rest.expiresInMs, rest.delayMs, 0);
  checkedExtras(rest, 0);
  if (rest.dedupe !== undefined) checkedDedupe(rest.dedupe, 0);
  return [name, text, Object.keys(rest).length === 0 ? null : JSON.stringify(rest)];
}

import { type ActedBy, HoldfastError, type Payload, StoreFailedError } from '@holdfast/contract';
import { parseId } from '../identity.js';
import { InvariantError } from '../invariant.js';
import { actBytes } from '../state/act-records.js';
import { encodeCloneOrigin } from '../state/enqueue-options.js';
import { NONE } from '../state/job-columns.js';
import type { JobTable } from '../state/job-table.js';
import type { Commits } from './commits.js';
import type { CloneAnswer, Done, EngineClone, EngineJob } from './engine-calls.js';
import { inColumns } from './engine-jobs.js';
import type { Enqueues } from './enqueues.js';
import { type Payloads, payloadIn } from './payloads.js';

export interface CloneParts {
  readonly table: JobTable;
  readonly commits: Commits;
  readonly payloads: Payloads;
  readonly enqueues: Enqueues;
  readonly storeTag: string;
}

/** Makes a new job of a stored one, durable when answered. A payload that cannot be read any more is its caller's error alone. */
export function cloneJob(parts: CloneParts, { id, payload, by }: EngineClone, done: Done<CloneAnswer>): void {
  const { table, commits, enqueues, storeTag } = parts;
  const number = parseId(storeTag, id);
  const slot = number === undefined ? NONE : table.ids.find(number);
  if (number === undefined || slot === NONE) {
    commits.answerWritten({ finish: (error) => done(error, error === undefined ? { id: undefined } : undefined) });
    return;
  }
  let job: EngineJob;
  try {
    job = copyOf(parts, slot, number, payload, by);
  } catch (error) {
    const refused = refusalOf(error, id);
    commits.answerWritten({ finish: (failure) => done(failure ?? refused, undefined) });
    return;
  }
  enqueues.enqueue(inColumns([job]), undefined, (error, answer) =>
    done(error, answer === undefined ? undefined : { id: answer.firstId }),
  );
}

function copyOf(
  { table, payloads }: CloneParts,
  slot: number,
  number: number,
  payload: Payload | undefined,
  by: ActedBy,
): EngineJob {
  const { queue, name, maxAttempts, backoff } = table.shapeOf(slot);
  const shape = { queue, name, maxAttempts, backoff, priority: table.columns.priority[slot]! };
  const cloneOrigin = encodeCloneOrigin(number, actBytes(by.actor, by.reason));
  const extras = payloads.extrasOf(slot);
  return { shape, payload: payload ?? payloadIn(payloads.of(slot)), extras, cloneOrigin };
}

/** What the disk says while it is only read has changed nothing. */
function refusalOf(error: unknown, id: string): HoldfastError {
  if (error instanceof InvariantError) throw error;
  if (error instanceof HoldfastError) return error;
  const detail = error instanceof Error ? error.message : String(error);
  return new StoreFailedError('rejected', `Job ${id} could not be read: ${detail}.`, { cause: error });
}

import { HoldfastError } from '@holdfast/contract';
import { parseId } from '../identity.js';
import { actBytes } from '../state/act-records.js';
import { encodeCloneOrigin } from '../state/enqueue-options.js';
import { NONE } from '../state/job-columns.js';
import type { JobTable } from '../state/job-table.js';
import type { Commits } from './commits.js';
import type { CloneAnswer, Done, EngineClone } from './engine-calls.js';
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
  const { table, commits, payloads, enqueues, storeTag } = parts;
  const number = parseId(storeTag, id);
  const slot = number === undefined ? NONE : table.ids.find(number);
  if (number === undefined || slot === NONE) {
    commits.answerWritten({ finish: (error) => done(error, error === undefined ? { id: undefined } : undefined) });
    return;
  }
  try {
    const { queue, name, maxAttempts, backoff } = table.shapeOf(slot);
    const shape = { queue, name, maxAttempts, backoff, priority: table.columns.priority[slot]! };
    const cloneOrigin = encodeCloneOrigin(number, actBytes(by.actor, by.reason));
    const extras = payloads.extrasOf(slot);
    const job = { shape, payload: payload ?? payloadIn(payloads.of(slot)), extras, cloneOrigin };
    enqueues.enqueue([job], undefined, (error, answer) =>
      done(error, answer === undefined ? undefined : { id: answer.firstId }),
    );
  } catch (error) {
    if (!(error instanceof HoldfastError)) throw error;
    commits.answerWritten({ finish: (failure) => done(failure ?? error, undefined) });
  }
}

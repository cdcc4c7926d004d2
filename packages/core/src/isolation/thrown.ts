import {
  CancelJob,
  type JobAbortedError,
  type JobError,
  RetryAfter,
  Snooze,
  UnrecoverableError,
} from '@holdfast/contract';
import { readOr } from '../queue/error-cause.js';
import { heeds, isUnrecoverable, toJobError } from '../queue/outcome.js';
import type { Thrown } from './isolate-messages.js';

/** Plain data of what a handler threw. Never throws, whatever it is. */
export function toThrown(thrown: unknown, aborted?: JobAbortedError): Thrown {
  if (heeds(thrown, aborted)) return { kind: 'aborted' };
  const error = toJobError(thrown);
  return readOr({ kind: 'error', error }, () => ofClass(thrown, error));
}

function ofClass(thrown: unknown, error: JobError): Thrown {
  if (thrown instanceof Snooze) return { kind: 'snooze', error, delayMs: thrown.delayMs };
  if (thrown instanceof RetryAfter) return { kind: 'retryAfter', error, delayMs: thrown.delayMs };
  if (thrown instanceof CancelJob) return { kind: 'cancelJob', error };
  if (isUnrecoverable(thrown)) return { kind: 'unrecoverable', error };
  return { kind: 'error', error };
}

/** The same to the worker as what was thrown. */
export function fromThrown(thrown: Thrown, aborted: unknown): unknown {
  switch (thrown.kind) {
    case 'aborted':
      return aborted;
    case 'snooze':
      return named(new Snooze(thrown.delayMs), thrown.error);
    case 'retryAfter':
      return named(new RetryAfter(thrown.delayMs), thrown.error);
    case 'cancelJob':
      return named(new CancelJob(), thrown.error);
    case 'unrecoverable':
      return named(new UnrecoverableError(thrown.error.message), thrown.error);
    default:
      return named(new Error(thrown.error.message), thrown.error);
  }
}

/** With the class, message and stack that it had on the other side; the stack has its causes too. */
function named<Kind extends Error>(error: Kind, { class: name, message, stack }: JobError): Kind {
  return Object.assign(error, { name, message, stack: stack ?? `${name}: ${message}` });
}

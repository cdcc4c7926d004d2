import { type Backoff, InvalidJobError } from '@holdfast/contract';
import type { JobShape } from '../engine/engine-calls.js';
import { LIMITS } from '../limits.js';
import { textProblem } from './text-problem.js';

/** What a job gets that does not say otherwise: see NewJob. */
export const DEFAULT_PRIORITY = 0;
export const DEFAULT_MAX_ATTEMPTS = 5;
export const DEFAULT_BACKOFF: Backoff = { kind: 'exponential', baseMs: 1000, maxMs: 3_600_000, jitter: 'full' };

/**
 * A copy of the shape that no caller can change.
 * @throws InvalidJobError naming the job's index and field
 */
export function checkedShape(shape: JobShape, index: number): JobShape {
  checkName(index, 'queue', shape.queue, LIMITS.queueNameBytesMax);
  checkName(index, 'name', shape.name, LIMITS.jobNameBytesMax);
  checkWhole(index, 'priority', shape.priority, 0, LIMITS.priorityMax);
  if (shape.maxAttempts !== null) checkWhole(index, 'maxAttempts', shape.maxAttempts, 1, LIMITS.maxAttemptsMax);
  return { ...shape, backoff: checkedBackoff(index, shape.backoff) };
}

function checkedBackoff(index: number, backoff: Backoff): Backoff {
  if (typeof backoff !== 'object' || backoff === null) throw new InvalidJobError(index, 'backoff', 'must be an object');
  const { kind, baseMs, maxMs, jitter } = backoff;
  if (kind !== 'fixed' && kind !== 'exponential') {
    throw new InvalidJobError(index, 'backoff.kind', `is ${String(kind)}, but must be fixed or exponential`);
  }
  if (jitter !== 'none' && jitter !== 'full') {
    throw new InvalidJobError(index, 'backoff.jitter', `is ${String(jitter)}, but must be none or full`);
  }
  checkWhole(index, 'backoff.baseMs', baseMs, 0, LIMITS.backoffMsMax);
  checkWhole(index, 'backoff.maxMs', maxMs, 0, LIMITS.backoffMsMax);
  return { kind, baseMs, maxMs, jitter };
}

function checkName(index: number, field: string, name: string, bytesMax: number): void {
  if (typeof name !== 'string') throw new InvalidJobError(index, field, `is ${String(name)}, but must be a text`);
  if (name === '') throw new InvalidJobError(index, field, 'is empty');
  const problem = textProblem(name, bytesMax);
  if (problem !== undefined) throw new InvalidJobError(index, field, problem);
}

function checkWhole(index: number, field: string, value: number, min: number, max: number): void {
  if (!Number.isInteger(value) || value < min || value > max) {
    throw new InvalidJobError(index, field, `is ${String(value)}, but must be a whole number from ${min} to ${max}`);
  }
}

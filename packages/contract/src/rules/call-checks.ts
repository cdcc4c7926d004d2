import { InvalidArgumentError } from '../errors.js';
import type { ActedBy } from '../job-selection.js';
import type { ClaimRequest, WorkerName } from '../job-store.js';
import { STORE_LIMITS as LIMITS } from './limits.js';
import { textProblem } from './text-problem.js';

/** Checks of what applications pass in, before anything is sent: each throws an InvalidArgumentError that names the argument. */

/** A claim with its defaults filled in; who calls keeps the signal. */
export interface CheckedClaim {
  readonly queues: readonly string[];
  readonly names: readonly string[] | undefined;
  readonly limit: number;
  readonly leaseMs: number;
  readonly waitMs: number;
  readonly worker: WorkerName;
}

export function checkedClaim(request: ClaimRequest): CheckedClaim {
  checkNames('claim.queues', request.queues, LIMITS.queueNameBytesMax);
  if (request.names !== undefined) checkNames('claim.names', request.names, LIMITS.jobNameBytesMax);
  checkWhole('claim.limit', request.limit, 1, LIMITS.claimJobsMax);
  checkText('claim.worker', request.worker, LIMITS.workerNameBytesMax);
  if (request.signal !== undefined && !(request.signal instanceof AbortSignal)) {
    throw new InvalidArgumentError('claim.signal', request.signal, 'an AbortSignal');
  }
  return {
    queues: [...request.queues],
    names: request.names === undefined ? undefined : [...request.names],
    limit: request.limit,
    leaseMs: checkedMs('claim.leaseMs', request.leaseMs, LIMITS.leaseMsMin, LIMITS.leaseMsMax),
    waitMs: checkedMs('claim.waitMs', request.waitMs ?? 0, 0, LIMITS.waitMsMax),
    worker: request.worker,
  };
}

/** At most as many items as one call may settle. */
export function checkItems(argument: string, items: readonly unknown[]): void {
  if (!Array.isArray(items)) throw new InvalidArgumentError(argument, items, 'an array');
  if (items.length > LIMITS.settleItemsMax) {
    throw new InvalidArgumentError(`${argument}.length`, items.length, `at most ${LIMITS.settleItemsMax}`);
  }
}

/** @returns the duration in whole milliseconds, rounded up */
export function checkedMs(argument: string, ms: number, min: number, max: number): number {
  if (typeof ms !== 'number' || !(ms >= min && ms <= max)) {
    throw new InvalidArgumentError(argument, ms, `a number of milliseconds from ${min} to ${max}`);
  }
  return Math.ceil(ms);
}

/** A misspelt name means nothing, and nobody would say so. @throws InvalidArgumentError */
export function checkKeys(argument: string, given: object, allowed?: readonly string[]): void {
  if (typeof given !== 'object' || given === null || Array.isArray(given)) {
    throw new InvalidArgumentError(argument, given, 'an object');
  }
  for (const name of Object.keys(given)) {
    if (allowed === undefined || allowed.includes(name)) continue;
    throw new InvalidArgumentError(`A name in ${argument}`, name, `one of ${allowed.join(', ')}`);
  }
}

export function checkWhole(argument: string, value: number, min: number, max: number): void {
  if (!Number.isInteger(value) || value < min || value > max) {
    throw new InvalidArgumentError(argument, value, `a whole number from ${min} to ${max}`);
  }
}

export function checkText(argument: string, text: string, bytesMax: number): void {
  const allowed = `a text of 1 to ${bytesMax} bytes in UTF-8 without lone surrogates`;
  if (typeof text !== 'string' || text === '' || textProblem(text, bytesMax) !== undefined) {
    throw new InvalidArgumentError(argument, text, allowed);
  }
}

export function checkedActor(by: ActedBy): ActedBy {
  if (typeof by !== 'object' || by === null) throw new InvalidArgumentError('by', by, 'an object such as { actor }');
  checkText('by.actor', by.actor, LIMITS.actorBytesMax);
  if (by.reason === undefined || by.reason === '') return { actor: by.actor };
  checkText('by.reason', by.reason, LIMITS.reasonBytesMax);
  return { actor: by.actor, reason: by.reason };
}

/** Which queues to show: each once, by name; `undefined` for all of them. */
export function checkedQueueNames(names: readonly string[] | undefined): readonly string[] | undefined {
  if (names === undefined) return undefined;
  if (!Array.isArray(names)) throw new InvalidArgumentError('names', names, 'an array of names of queues');
  for (const [index, name] of names.entries()) checkText(`names[${index}]`, name, LIMITS.queueNameBytesMax);
  return [...new Set<string>(names)].sort();
}

function checkNames(argument: string, names: readonly string[], bytesMax: number): void {
  if (!Array.isArray(names) || names.length === 0) {
    throw new InvalidArgumentError(argument, names, 'an array of at least one name');
  }
  for (const [index, name] of names.entries()) checkText(`${argument}[${index}]`, name, bytesMax);
}

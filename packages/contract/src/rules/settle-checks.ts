import { describedValue } from '../described-value.js';
import { InvalidArgumentError } from '../errors.js';
import type { JobError, Payload } from '../job.js';
import type { AckItem, FailItem, LeaseRef } from '../job-store.js';
import { checkedMs, checkItems } from './call-checks.js';
import { cutText } from './cut-text.js';
import { STORE_LIMITS as LIMITS } from './limits.js';
import { bytesBeyond, storablePayload, textProblem } from './text-problem.js';

/** Looks at an ack as a whole: how much its results are together. */
export function checkAck(items: readonly AckItem[]): void {
  checkItems('ack', items);
  if (items.length === 1) return;
  const bytes = bytesBeyond(items, (item) => item?.result, LIMITS.settleBytesMax);
  if (bytes !== undefined) {
    throw new InvalidArgumentError('ack: bytes of results', bytes, `at most ${LIMITS.settleBytesMax}`);
  }
}

export function checkLease(argument: string, index: number, item: LeaseRef): void {
  if (typeof item?.id !== 'string') throw new InvalidArgumentError(`${argument}[${index}].id`, item?.id, 'a job id');
  if (typeof item.token !== 'string') {
    throw new InvalidArgumentError(`${argument}[${index}].token`, item.token, 'a lease token');
  }
}

export function checkResult(index: number, result: Payload | undefined): void {
  if (result === undefined) return;
  if (typeof result === 'string' && textProblem(result, LIMITS.resultBytesMax) === undefined) return;
  if (result instanceof Uint8Array && result.length <= LIMITS.resultBytesMax) return;
  throw new InvalidArgumentError(`ack[${index}].result`, result, storablePayload(LIMITS.resultBytesMax));
}

/** A failure must always be recorded, so an error text is never refused: it is cut to what can be kept. */
export function shortened(error: JobError): JobError {
  const stack = error?.stack;
  return {
    class: cutText(textOf(error?.class), LIMITS.errorClassBytesMax),
    message: cutText(textOf(error?.message), LIMITS.errorMessageBytesMax),
    ...(stack === undefined || stack === '' ? {} : { stack: cutText(textOf(stack), LIMITS.errorStackBytesMax) }),
  };
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : describedValue(value);
}

export function checkedThen(then: FailItem['then'], index: number): FailItem['then'] {
  if (then === 'backoff' || then === 'dead' || then === 'cancel') return then;
  if (typeof then !== 'object' || then === null) {
    throw new InvalidArgumentError(`fail[${index}].then`, then, 'backoff, dead, cancel or { retryInMs }');
  }
  return { retryInMs: checkedMs(`fail[${index}].then.retryInMs`, then.retryInMs, 0, LIMITS.delayMsMax) };
}

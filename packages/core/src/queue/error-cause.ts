import { cutText } from '@holdfast/contract/rules';

/** Enough for what a system says; whoever needs more has the stack. */
const CAUSE_BYTES_MAX = 500;
const DEPTH_MAX = 10;

/**
 * What made an error happen, in one line: the innermost of its causes, unless its own message says it already. A client of a network
 * mostly says no more than `fetch failed`. Never throws, whatever was thrown.
 */
export function innermostCause(thrown: unknown): string | undefined {
  return readOr(undefined, () => {
    const cause = causesOf(thrown, DEPTH_MAX).at(-1);
    const text = cause === undefined ? '' : causeText(cause);
    return text === '' || String((thrown as Error).message).includes(text) ? undefined : text;
  });
}

/** From the outermost to the innermost, at most so many: they may go in a circle. */
export function causesOf(thrown: unknown, countMax: number): readonly unknown[] {
  const causes: unknown[] = [];
  let next = causeOf(thrown);
  while (next !== undefined && next !== null && causes.length < countMax) {
    causes.push(next);
    next = causeOf(next);
  }
  return causes;
}

export function isError(thrown: unknown): thrown is Error {
  return readOr(false, () => thrown instanceof Error);
}

/** Anything can be thrown, also what throws when it is looked at: a getter, a proxy. */
export function readOr<Value>(otherwise: Value, read: () => Value): Value {
  try {
    return read();
  } catch {
    return otherwise;
  }
}

function causeOf(thrown: unknown): unknown {
  return isError(thrown) ? readOr(undefined, () => thrown.cause) : undefined;
}

/** With its code, where the message lacks it. Of several addresses that refused, Node gives the code alone. */
function causeText(cause: unknown): string {
  if (!isError(cause)) return typeof cause === 'string' ? oneLine(cause) : '';
  const code = 'code' in cause && typeof cause.code === 'string' ? cause.code : '';
  const message = String(cause.message);
  const parts = message.includes(code) ? [message] : [code, message];
  return oneLine(parts.filter((part) => part !== '').join(': ') || String(cause.name));
}

function oneLine(text: string): string {
  return cutText(text.split('\n', 1)[0]!, CAUSE_BYTES_MAX);
}

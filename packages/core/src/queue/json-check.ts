/** Deeper nesting than anyone means; also where a value that contains itself is stopped. */
const LEVELS_MAX = 500;

/** The first part of a value that JSON cannot carry unchanged. */
export interface JsonProblem {
  /** From the value inwards: `.items[2].price`; empty for the value itself. */
  path: string;
  readonly problem: string;
}

/**
 * Walks once, before `JSON.stringify` walks again: the only way to see what stringify would drop, because a replacer is
 * called after `toJSON` and costs more than both walks (an order of 5 lines on Node 20: stringify 1.6 µs, this 0.24 µs
 * more, with a replacer 2.8 µs). The path is put together on the way out, so that a good payload pays nothing for it.
 */
export function findJsonProblem(value: unknown, level = 0): JsonProblem | undefined {
  switch (typeof value) {
    case 'string':
    case 'boolean':
      return undefined;
    case 'number':
      return Number.isFinite(value) ? undefined : { path: '', problem: `is ${value}, which JSON turns into null` };
    case 'object':
      if (value === null) return undefined;
      if (level === LEVELS_MAX) return { path: '', problem: `is nested ${LEVELS_MAX} levels deep, or contains itself` };
      return Array.isArray(value) ? findInList(value, level + 1) : findInObject(value, level + 1);
    case 'undefined':
      return { path: '', problem: 'is undefined, which JSON cannot hold (null can stand for nothing)' };
    case 'bigint':
      return { path: '', problem: `is the BigInt ${value}n (a string can carry its digits)` };
    default:
      return { path: '', problem: `is a ${typeof value}, which JSON drops` };
  }
}

function findInList(list: readonly unknown[], level: number): JsonProblem | undefined {
  for (let index = 0; index < list.length; index++) {
    const found = findJsonProblem(list[index], level);
    if (found !== undefined) return within(`[${index}]`, found);
  }
  return undefined;
}

function findInObject(value: object, level: number): JsonProblem | undefined {
  const unfit = describeUnfitClass(value);
  if (unfit !== undefined) return { path: '', problem: unfit };
  const record = value as Record<string, unknown>;
  for (const key in record) {
    const part = record[key];
    if (part === undefined) continue;
    const found = findJsonProblem(part, level);
    if (found !== undefined) return within(accessor(key), found);
  }
  return undefined;
}

/** Plain means: made by a literal, by `JSON.parse` or with no prototype, in this or another realm. */
function describeUnfitClass(value: object): string | undefined {
  const prototype: object | null = Object.getPrototypeOf(value);
  if (prototype === Object.prototype || prototype === null) return undefined;
  if (Object.getPrototypeOf(prototype) === null) return undefined;
  if (value instanceof Date) return 'is a Date, which comes back as a string (send value.toISOString())';
  if (value instanceof Map) return 'is a Map, which JSON empties (send Object.fromEntries(value) or [...value])';
  if (value instanceof Set) return 'is a Set, which JSON empties (send [...value])';
  const name: unknown = value.constructor?.name;
  return `is an instance of ${typeof name === 'string' && name !== '' ? name : 'a class'}, which comes back as a plain object`;
}

function within(step: string, found: JsonProblem): JsonProblem {
  found.path = step + found.path;
  return found;
}

function accessor(key: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(key) ? `.${key}` : `[${JSON.stringify(key)}]`;
}

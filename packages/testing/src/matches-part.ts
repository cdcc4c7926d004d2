import { isDeepStrictEqual } from 'node:util';

/**
 * Whether a value has everything that is expected of it: plain objects may have more properties, all else has to be equal. What
 * answers to `asymmetricMatch`, as the matchers of Jest and Vitest do, is asked instead.
 */
export function matchesPart(actual: unknown, expected: unknown): boolean {
  if (isMatcher(expected)) return expected.asymmetricMatch(actual);
  if (Array.isArray(expected)) {
    return (
      Array.isArray(actual) &&
      actual.length === expected.length &&
      expected.every((item, index) => matchesPart(actual[index], item))
    );
  }
  if (!isPlain(expected)) return isDeepStrictEqual(actual, expected);
  if (typeof actual !== 'object' || actual === null) return false;
  return Object.entries(expected).every(([key, part]) => matchesPart(Reflect.get(actual, key), part));
}

interface Matcher {
  asymmetricMatch(actual: unknown): boolean;
}

function isMatcher(value: unknown): value is Matcher {
  return typeof value === 'object' && value !== null && typeof Reflect.get(value, 'asymmetricMatch') === 'function';
}

/** Also across the realms of a test runner, where `Object` is another one. */
function isPlain(value: unknown): value is object {
  if (typeof value !== 'object' || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}

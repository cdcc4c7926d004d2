/** Tests that a store does not pass, and why that is right. */
export interface Skip {
  readonly reason: string;
  /** Full names: `<group>: <test>`. */
  readonly tests: readonly string[];
}

/**
 * The reason by test name.
 * @throws Error for a skip without a reason, or of a test that does not exist or is skipped already
 */
export function skippedTests(skips: readonly Skip[], existing: readonly string[]): ReadonlyMap<string, string> {
  const reasons = new Map<string, string>();
  for (const { reason, tests } of skips) {
    if (reason.trim() === '') throw new Error(`A skip needs a reason: ${tests.join(', ')}.`);
    for (const test of tests) {
      if (!existing.includes(test)) throw new Error(`There is no test of the name "${test}" that could be skipped.`);
      if (reasons.has(test)) throw new Error(`The test "${test}" is skipped twice.`);
      reasons.set(test, reason);
    }
  }
  return reasons;
}

import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { BulkRunner } from './bulk-runner.js';

const LOOKED_WITHIN_MS = 30_000;

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** Of a process that has never worked on an operation. `wake` is counted, and starts nothing. */
function idleRunner(hasRuns: () => Promise<boolean>, capabilities: object = {}) {
  type Parts = ConstructorParameters<typeof BulkRunner>;
  const parts: unknown = [{ capabilities }, { hasRuns }, {}];
  const runner = new BulkRunner(...(parts as Parts));
  return { runner, wake: vi.spyOn(runner, 'wake').mockImplementation(() => {}) };
}

it('goes on with what another process has left, though nobody asks for it here', async () => {
  let left = false;
  const { runner, wake } = idleRunner(async () => left);
  await runner.onApplicationBootstrap();
  await vi.advanceTimersByTimeAsync(10 * LOOKED_WITHIN_MS);
  expect(wake).not.toHaveBeenCalled();
  left = true;
  await vi.advanceTimersByTimeAsync(LOOKED_WITHIN_MS);
  expect(wake).toHaveBeenCalled();
  await runner.beforeApplicationShutdown();
  expect(vi.getTimerCount()).toBe(0);
});

it('looks again after a store has not answered', async () => {
  const answers = [() => Promise.reject(new Error('down')), () => Promise.reject(new Error('down'))];
  const { runner, wake } = idleRunner(async () => answers.shift()?.() ?? true);
  await runner.onApplicationBootstrap();
  await vi.advanceTimersByTimeAsync(2 * LOOKED_WITHIN_MS);
  expect(wake).toHaveBeenCalled();
  await runner.beforeApplicationShutdown();
});

it('looks for nothing in a store that only shows jobs', async () => {
  const hasRuns = vi.fn(async () => true);
  const { runner } = idleRunner(hasRuns, { readOnly: { because: 'another process has the log open' } });
  await runner.onApplicationBootstrap();
  expect(vi.getTimerCount()).toBe(0);
});

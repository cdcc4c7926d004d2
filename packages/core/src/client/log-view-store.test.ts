import { setImmediate as nextTurn } from 'node:timers/promises';
import { StoreFailedError, type StoreHealth } from '@holdfast/contract';
import { VirtualClock } from '@holdfast/testing';
import { expect, it, onTestFinished } from 'vitest';
import type { HealthListener } from './health-report.js';
import type { LogStoreClient } from './log-store-client.js';
import { LogViewStore } from './log-view-store.js';

/** The part of a reading that the view looks at without being asked. */
function reading(
  detail: string,
  close: () => Promise<void> = async () => {},
  onHealthChange: (listener: HealthListener) => void = () => {},
): LogStoreClient {
  const health = (): StoreHealth => ({ status: 'open', detail, reopened: 0 });
  // Only a whole client has its private fields.
  return { capabilities: {}, health, close, onHealthChange } as unknown as LogStoreClient;
}

it('a reading whose thread is lost while it is closed troubles nobody: the next one is shown by then', async () => {
  const unhandled: unknown[] = [];
  const note = (reason: unknown) => unhandled.push(reason);
  process.on('unhandledRejection', note);
  onTestFinished(() => {
    process.off('unhandledRejection', note);
  });
  const lost = async () => {
    throw new StoreFailedError('unknown', 'The thread is gone.');
  };
  const readings = [reading('first', lost), reading('second')];
  const clock = new VirtualClock();
  const view = await LogViewStore.open({
    read: async () => readings.shift()!,
    fingerprint: () => String(readings.length),
    clock,
    everyMs: 100,
    because: 'A test looks at it.',
  });
  await clock.advance(100);
  await nextTurn();
  expect(view.health().detail).toBe('second');
  expect(unhandled).toEqual([]);
  await view.close();
});

it('a reading whose thread is lost is of the moment at which that read the log again', async () => {
  const clock = new VirtualClock();
  let tell: HealthListener = () => {};
  const lossy = reading('lossy', undefined, (listener) => {
    tell = listener;
  });
  const startMs = clock.now();
  const view = await LogViewStore.open({
    ...{ read: async () => lossy, fingerprint: () => 'same', clock, everyMs: 60_000 },
    because: 'A test looks at it.',
  });
  await clock.advance(1000);
  tell({ status: 'failed', detail: 'Its thread ended.', reopened: 0 });
  expect(view.health().asOfMs).toBe(startMs);
  await clock.advance(100);
  tell({ status: 'open', reopened: 1 });
  expect(view.health().asOfMs).toBe(startMs + 1000);
  await clock.advance(60_000);
  await nextTurn();
  expect(view.health().asOfMs).toBe(startMs + 60_000);
  await view.close();
});

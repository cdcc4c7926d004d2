import { EventEmitter } from 'node:events';
import type { ServerResponse } from 'node:http';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { EventStreams } from './event-streams.js';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** Of a page that reads nothing any more. */
class StuckResponse extends EventEmitter {
  writableLength = 0;
  destroyed = false;
  readonly calls: string[] = [];

  write(): boolean {
    return false;
  }

  end(): void {
    this.calls.push('end');
  }

  destroy(): void {
    this.calls.push('destroy');
  }
}

function streams(): EventStreams {
  const looks = { fresh: async () => ({ shown: { queues: [] }, json: '[]' }) };
  const operations = { hasRuns: async () => false };
  const store = { health: () => ({ status: 'open' }) };
  type Parts = ConstructorParameters<typeof EventStreams>;
  const parts: unknown = [store, looks, operations, { now: () => 0 }];
  return new EventStreams(...(parts as Parts));
}

it('lets go of a listener that takes nothing any more, and of all that it has not taken', async () => {
  const response = new StuckResponse();
  const told = streams();
  const given: unknown = response;
  told.open('ada', given as ServerResponse, undefined);
  response.writableLength = 1024 * 1024;
  await vi.advanceTimersByTimeAsync(1000);
  expect(response.calls).toEqual([]);
  response.writableLength++;
  await vi.advanceTimersByTimeAsync(1000);
  expect(response.calls).toEqual(['end', 'destroy']);
  expect(vi.getTimerCount()).toBe(0);
});

it('keeps no listener that left while it was asked who it is', () => {
  const told = streams();
  const response = new StuckResponse();
  response.destroyed = true;
  const given: unknown = response;
  told.open('ada', given as ServerResponse, undefined);
  expect(vi.getTimerCount()).toBe(0);
});

it('lets nobody stay who comes back while the process ends', () => {
  const told = streams();
  told.beforeApplicationShutdown();
  const response = new StuckResponse();
  const given: unknown = response;
  told.open('ada', given as ServerResponse, undefined);
  expect(response.calls).toEqual(['end']);
  expect(vi.getTimerCount()).toBe(0);
});

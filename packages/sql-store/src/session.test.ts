import { afterEach, expect, it, vi } from 'vitest';

import { Session } from './session.js';
import type { SessionConnection, SessionLink, SessionListener } from './session-link.js';

afterEach(() => {
  vi.useRealTimers();
});

/** A connection on which nothing happens. */
const QUIET: SessionConnection = {
  lostProcesses: 0,
  queries: { run: async () => [] },
  leads: async () => true,
  ping: async () => {},
  leave: async () => {},
  end: () => {},
};

/** Loses each connection in the moment in which it is made. */
class BrokenLink implements SessionLink {
  readonly silenceMs = 30_000;
  open = 0;

  async connect(_: number, listener: SessionListener): Promise<SessionConnection> {
    this.open++;
    listener.lost(new Error('terminated'));
    return {
      ...QUIET,
      end: () => this.open--,
    };
  }
}

it('keeps no connection that was lost while it was made: there may be only one', async () => {
  const link = new BrokenLink();
  const session = new Session({ link, heard: () => {}, cancelled: () => {}, reached: () => {} }, 1);
  await expect(session.connect()).rejects.toThrow('closed by the server');
  expect(link.open).toBe(0);
  expect(session.queries).toBeUndefined();
});

/** Carries no message that PostgreSQL would refuse, and sends what it carries to all. */
class TellingLink implements SessionLink {
  readonly silenceMs = 30_000;
  readonly told: string[] = [];
  readonly #listeners: SessionListener[] = [];

  async connect(_: number, listener: SessionListener): Promise<SessionConnection> {
    this.#listeners.push(listener);
    return {
      ...QUIET,
      tell: async (message) => {
        if (Buffer.byteLength(message) >= MESSAGE_BYTES_END) throw new Error('payload string too long');
        this.told.push(message);
        for (const { heard } of this.#listeners) heard(message);
      },
    };
  }
}

const MESSAGE_BYTES_END = 8000;

it.each([
  ['each by its number', 3, [2_000_000_000, 2_000_000_001, 2_000_000_002]],
  ['as all, where they are too many for one message', 5000, undefined],
] as const)('tells other processes of queues with ready jobs: %s', async (_, count, heard) => {
  const link = new TellingLink();
  const heardBy: (readonly number[] | undefined)[] = [];
  const sessions = [1, 2].map((process) => {
    const hear = process === 2 ? (ids: readonly number[] | undefined) => heardBy.push(ids) : () => {};
    return new Session({ link, heard: hear, cancelled: () => {}, reached: () => {} }, process);
  });
  for (const session of sessions) await session.connect();
  sessions[0]?.announce(Array.from({ length: count }, (_, index) => 2_000_000_000 + index));
  for (const session of sessions) await session.close();
  expect(heardBy).toEqual([heard]);
});

/** Gives connections that answer until they fall silent. */
class SilentLink implements SessionLink {
  readonly silenceMs = 30_000;
  isSilent = false;
  made = 0;

  async connect(): Promise<SessionConnection> {
    this.made++;
    const isFirst = this.made === 1;
    return { ...QUIET, ping: () => (isFirst && this.isSilent ? new Promise(() => {}) : Promise.resolve()) };
  }
}

it('gives up a connection that was silent for half a minute, tells it, and makes another one', async () => {
  vi.useFakeTimers();
  const link = new SilentLink();
  const reached = vi.fn();
  const session = new Session({ link, heard: () => {}, cancelled: () => {}, reached }, 1);
  await session.connect();
  expect(await session.leads()).toBe(true);
  await vi.advanceTimersByTimeAsync(300_000);
  expect(link.made).toBe(1);
  link.isSilent = true;
  await vi.advanceTimersByTimeAsync(30_000);
  expect(String(reached.mock.calls[0])).toContain('no answer came within 20000 ms');
  await vi.advanceTimersByTimeAsync(1000);
  expect(reached).toHaveBeenLastCalledWith(undefined);
  expect(link.made).toBe(2);
  await session.close();
});

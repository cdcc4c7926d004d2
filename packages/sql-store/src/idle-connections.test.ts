import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { IdleConnections } from './idle-connections.js';

beforeEach(() => {
  vi.useFakeTimers();
});

afterEach(() => {
  vi.useRealTimers();
});

interface Line {
  readonly name: number;
  isSilent: boolean;
  asked: number;
}

/** Gives the line again that came back last, as pools do. */
class Lines {
  readonly free: Line[] = [];
  made = 0;
  readonly idle = new IdleConnections<Line>({
    take: async () => this.free.pop() ?? { name: this.made++, isSilent: false, asked: 0 },
    sameOf: (line) => line,
    ask: (line) => {
      line.asked++;
      return line.isSilent ? new Promise(() => {}) : Promise.resolve();
    },
    close: () => {},
  });

  giveBack(line: Line): void {
    this.idle.used(line);
    this.free.push(line);
  }
}

it('asks a connection that was idle for ten seconds before it is used, and no other', async () => {
  const lines = new Lines();
  const line = await lines.idle.take();
  expect(line.asked).toBe(0);
  for (const [idleMs, asked] of [
    [9_999, 0],
    [10_000, 1],
    [5_000, 1],
  ] as const) {
    lines.giveBack(line);
    await vi.advanceTimersByTimeAsync(idleMs);
    expect(await lines.idle.take()).toBe(line);
    expect(line.asked).toBe(asked);
  }
});

it('takes another one in the place of those that fell silent', async () => {
  const lines = new Lines();
  const all = [await lines.idle.take(), await lines.idle.take()];
  for (const line of all) lines.giveBack(line);
  for (const line of all) line.isSilent = true;
  await vi.advanceTimersByTimeAsync(60_000);
  const taken = lines.idle.take();
  await vi.advanceTimersByTimeAsync(2 * 5000);
  expect((await taken).name).toBe(2);
});
